package dev.waybill.admin;

import dev.waybill.spi.SourceException;
import java.util.List;
import java.util.Optional;

/**
 * The dead letters of one broker: messages that a consumer gave up, waiting for a person. Safe for use by many threads; two
 * who send the same letter back at once may send it twice, which an inbox makes harmless.
 */
public interface DeadLetterBox {

    /**
     * Letters that were neither sent back nor discarded, oldest first. What cannot be read is among them.
     *
     * @param topic the dead-letter topic or queue
     * @param atMost no more than so many are held in memory
     */
    List<DeadLetterEntry> list(String topic, int atMost);

    /**
     * @param place where it stands, as {@link #list} tells
     * @return nothing when it was sent back or discarded, or never was there
     */
    Optional<DeadLetterEntry> find(String topic, String place);

    /**
     * Sends the original message, as it came, to where it came from; and marks the letter, once the broker has the message.
     *
     * @return false when the letter is not there any more
     * @throws MessageLeftOutException when the message did not fit into the letter, and cannot be had from where it stood
     * @throws LetterStaysException when the letter cannot be read, or the broker refuses its message: there is no such origin,
     *     for one
     * @throws SourceException when the broker is away or failed
     */
    boolean sendBack(DeadLetterEntry letter, Actor by);

    /**
     * Marks the letter as done with.
     *
     * @return false when the letter is not there any more
     */
    boolean discard(DeadLetterEntry letter, Actor by);
}
