package dev.waybill.admin;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.format.MalformedMessageException;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.SourceException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A dead letter, without the message itself: that may be personal data.
 *
 * @param topic the dead-letter topic it is in
 * @param place where it stands there
 * @param origin the topic its message came from; empty when it does not tell
 * @param error why the message was given up; or why the letter cannot be read
 * @param failedAt nothing when the letter cannot be read
 * @param bytes how long the message is, or a letter that cannot be read
 */
public record DeadLetterEntry(
        String topic,
        String place,
        String origin,
        Optional<String> eventId,
        String error,
        Optional<Instant> failedAt,
        String consumer,
        int bytes,
        Contents contents) {
    /** What is in a letter. */
    public enum Contents {
        /** The message. */
        MESSAGE,
        /** The message did not fit, or its headers did not: the letter says where it stood. */
        WHERE_IT_STOOD,
        /** Something that is no letter of ours: it can be discarded, and not sent back. */
        UNREADABLE
    }

    /** No topic, queue, event id or consumer of ours has a longer name. */
    private static final int LONGEST_NAME = 255;

    /** Whoever may write to the topic decides how long these are; a name that was cut is nobody's. */
    public DeadLetterEntry {
        origin = cut(origin);
        eventId = eventId.map(DeadLetterEntry::cut);
        consumer = cut(consumer);
    }

    /**
     * What the letter says, for whoever sends its message back.
     *
     * @param letter as it was found at {@link #place}
     * @throws LetterStaysException when it cannot be read
     */
    public DeadLetterBody read(InboundMessage letter) {
        try {
            return DeadLetterBody.of(letter.value());
        } catch (MalformedMessageException e) {
            throw new LetterStaysException(
                    this, "it cannot be read (" + e.getMessage() + ") and can only be discarded");
        }
    }

    /**
     * Makes what goes back. Whoever wrote the letter decides what it is made of, so what fails then is the fault of this
     * letter and of no other.
     *
     * @throws LetterStaysException when it cannot be made
     */
    public <M> M make(Supplier<M> message) {
        try {
            return message.get();
        } catch (LetterStaysException | SourceException e) {
            throw e;
        } catch (RuntimeException e) {
            throw cannotBeMade(e);
        }
    }

    /** Its message has no form that the broker, or its client, knows. */
    public LetterStaysException cannotBeMade(RuntimeException why) {
        // Exceptions of parsers quote what they could not read, which may be personal data.
        String words = why.getClass() == IllegalArgumentException.class
                ? String.valueOf(why.getMessage())
                : why.getClass().getSimpleName();
        return new LetterStaysException(this, "its message cannot be made of it (" + words + "): discard it");
    }

    private static String cut(String name) {
        return name.codePointCount(0, name.length()) > LONGEST_NAME
                ? name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME)) + "…"
                : name;
    }

    /** What a message in the dead-letter topic says. One that cannot be read is listed as well: somebody must deal with it. */
    public static DeadLetterEntry of(String topic, InboundMessage letter) {
        String origin = letter.header(HeaderNames.DEAD_LETTER_TOPIC).orElse("");
        try {
            DeadLetterBody body = DeadLetterBody.of(letter.value());
            return new DeadLetterEntry(
                    topic,
                    letter.place(),
                    origin,
                    body.eventId(),
                    body.errorMessage(),
                    Optional.of(body.failedAt()),
                    body.consumerService(),
                    body.bytes(),
                    body.leftOut().isEmpty() ? Contents.MESSAGE : Contents.WHERE_IT_STOOD);
        } catch (MalformedMessageException e) {
            return new DeadLetterEntry(
                    topic,
                    letter.place(),
                    origin,
                    Optional.empty(),
                    "cannot be read: " + e.getMessage(),
                    Optional.empty(),
                    "",
                    letter.value().length,
                    Contents.UNREADABLE);
        }
    }
}
