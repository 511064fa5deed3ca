package dev.waybill.admin;

import dev.waybill.spi.SourceException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The dead letters of one broker: messages that a consumer gave up, for an operator to handle. Safe for use by many threads;
 * concurrent calls for one letter may send it back twice, which an inbox makes harmless.
 */
public interface DeadLetterBox {

    /**
     * Letters that were neither sent back nor discarded, oldest first, including unreadable ones.
     *
     * @param topic the dead-letter topic or queue
     * @param atMost maximum number of letters held in memory
     * @throws IllegalArgumentException if the broker cannot have a topic of this name
     */
    List<DeadLetterEntry> list(String topic, int atMost);

    /**
     * The same for an operator who is about to change the letters. On a broker that may give up a letter that is read often,
     * {@link #list} refuses such letters and this does not.
     */
    default List<DeadLetterEntry> choose(String topic, int atMost) {
        return list(topic, atMost);
    }

    /**
     * Whether letters are read by taking them from the topic and returning them: meanwhile no other client gets them, and the broker
     * may count it as a delivery. Never do that to a topic that others consume.
     */
    default boolean takesToRead() {
        return false;
    }

    /** Names that end in this are taken for dead-letter topics. It is the default of a consumer. */
    String SUFFIX = ".dlt";

    /** Dead-letter topics known without being named: those of the broker, or of its configuration, that end in {@link #SUFFIX}. */
    Set<String> topics();

    /**
     * Counts letters by consumer, as far as the broker allows. Reads a bounded part of each topic.
     *
     * @param topics dead-letter topics or queues; those that do not exist are not in the answer
     * @param atMost maximum number of letters that are read in each topic
     */
    List<DeadLetterCount> count(Collection<String> topics, int atMost);

    /**
     * @param place as returned by {@link #list}
     * @return empty if it was sent back or discarded, or never existed
     * @throws IllegalArgumentException if the broker cannot have a topic of this name
     */
    Optional<DeadLetterEntry> find(String topic, String place);

    /**
     * Sends the original message back unchanged to its origin, and marks the letter once the broker has acknowledged it.
     *
     * @return false if the letter no longer exists
     * @throws MessageLeftOutException if the message did not fit into the letter and is no longer at its origin
     * @throws LetterStaysException if the letter cannot be read, or the broker refuses the message, for example because its
     *     origin does not exist
     * @throws SourceException if the broker is unavailable or failed
     */
    boolean sendBack(DeadLetterEntry letter, Actor by);

    /**
     * Marks the letter as discarded.
     *
     * @return false if the letter no longer exists
     */
    boolean discard(DeadLetterEntry letter, Actor by);
}
