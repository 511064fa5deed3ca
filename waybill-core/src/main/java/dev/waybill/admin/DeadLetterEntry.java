package dev.waybill.admin;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.format.MalformedMessageException;
import dev.waybill.spi.InboundMessage;
import java.time.Instant;
import java.util.Optional;

/**
 * A dead letter, without the message itself: that may be personal data.
 *
 * @param topic the dead-letter topic it is in
 * @param place where it stands there
 * @param origin the topic its message came from
 * @param bytes how long the message is
 * @param whole whether the message is in the letter; if not it did not fit, and the letter says where it stood
 */
public record DeadLetterEntry(
        String topic,
        String place,
        String origin,
        Optional<String> eventId,
        String error,
        Instant failedAt,
        String consumer,
        int bytes,
        boolean whole) {
    /** No topic, queue, event id or consumer of ours has a longer name. */
    private static final int LONGEST_NAME = 255;

    /** Whoever may write to the topic decides how long these are; a name that was cut is nobody's. */
    public DeadLetterEntry {
        origin = cut(origin);
        eventId = eventId.map(DeadLetterEntry::cut);
        consumer = cut(consumer);
    }

    private static String cut(String name) {
        return name.codePointCount(0, name.length()) > LONGEST_NAME
                ? name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME)) + "…"
                : name;
    }

    /**
     * What a message in the dead-letter topic says.
     *
     * @return nothing when somebody else put it there, in a form of their own
     */
    public static Optional<DeadLetterEntry> of(String topic, InboundMessage letter) {
        try {
            DeadLetterBody body = DeadLetterBody.of(letter.value());
            return Optional.of(new DeadLetterEntry(
                    topic,
                    letter.place(),
                    letter.header(HeaderNames.DEAD_LETTER_TOPIC).orElse(""),
                    body.eventId(),
                    body.errorMessage(),
                    body.failedAt(),
                    body.consumerService(),
                    body.bytes(),
                    body.leftOut().isEmpty()));
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }
}
