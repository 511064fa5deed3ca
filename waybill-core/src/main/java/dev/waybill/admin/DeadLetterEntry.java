package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A dead letter, without the message itself: that may be personal data.
 *
 * @param topic the dead-letter topic it is in
 * @param place where it stands there
 * @param origin the topic its message came from
 * @param bytes how long the message is
 */
public record DeadLetterEntry(
        String topic,
        String place,
        String origin,
        Optional<String> eventId,
        String error,
        Instant failedAt,
        String consumer,
        int bytes) {}
