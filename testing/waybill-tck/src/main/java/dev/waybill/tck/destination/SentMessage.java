package dev.waybill.tck.destination;

import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Messages that a test hands to a destination. */
public final class SentMessage {
    /** When the events of all messages were created. */
    public static final Instant CREATED_AT = Instant.parse("2026-01-02T03:04:05Z");

    private SentMessage() {}

    /** A message as a relay would make it, without headers. */
    public static OutboundMessage of(String topic, String key, String id, byte[] value) {
        return new OutboundMessage(facts(id, key), topic, key.getBytes(StandardCharsets.UTF_8), value, List.of());
    }

    /** Facts of an event of which nothing matters but its id and the key it is ordered by. */
    public static EventFacts facts(String id, String key) {
        return new EventFacts(
                Utf8.of(id), Utf8.of("contract.sent.v1"), Utf8.of("Contract:" + key), "application/json", CREATED_AT);
    }
}
