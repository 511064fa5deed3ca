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
 * A dead letter, without the message itself, which may be personal data.
 *
 * @param topic the dead-letter topic
 * @param place its position in the topic
 * @param origin the topic of the original message; empty if unknown
 * @param error why the message was given up; or why the letter cannot be read
 * @param failedAt empty if the letter cannot be read
 * @param bytes size of the message, or of an unreadable letter
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
    /** The contents of a letter. */
    public enum Contents {
        /** The message. */
        MESSAGE,
        /** Only the position of the message, because it or its headers did not fit. */
        WHERE_IT_STOOD,
        /** Not a dead letter of Waybill: can be discarded, but not sent back. */
        UNREADABLE
    }

    /** Longer than any valid topic, queue, event id or consumer name. */
    private static final int LONGEST_NAME = 255;

    /** Names from the letter are not trusted and may be very long; a truncated name matches nothing. */
    public DeadLetterEntry {
        origin = cut(origin);
        eventId = eventId.map(DeadLetterEntry::cut);
        consumer = cut(consumer);
    }

    /**
     * Parses the letter, to send its message back.
     *
     * @param letter the message at {@link #place}
     * @throws LetterStaysException if it cannot be read
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
     * Creates the message to send back. Its parts come from the letter, so a failure concerns only this letter.
     *
     * @throws LetterStaysException if the message cannot be created
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

    /** The broker or its client does not accept the message in this form. */
    public LetterStaysException cannotBeMade(RuntimeException why) {
        // Exceptions of parsers quote their input, which may be personal data.
        String words = why.getClass() == IllegalArgumentException.class
                ? String.valueOf(why.getMessage())
                : why.getClass().getSimpleName();
        return new LetterStaysException(this, "its message cannot be restored (" + words + "); discard the letter");
    }

    static String cut(String name) {
        return name.codePointCount(0, name.length()) > LONGEST_NAME
                ? name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME)) + "…"
                : name;
    }

    /** Parses a message of a dead-letter topic. Unreadable ones are listed as well, so that an operator can discard them. */
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
