package dev.waybill.tck.destination;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The event behind a message that a test hands to a destination: nothing of it matters but its id and the key it is ordered
 * by.
 */
public record SentEvent(Utf8 id, Utf8 aggregateId) implements StoredEvent {

    /** A message as a relay would make it, without headers. */
    public static OutboundMessage message(String topic, String key, String id, byte[] value) {
        SentEvent event = new SentEvent(Utf8.of(id), Utf8.of(key));
        return new OutboundMessage(event, topic, key.getBytes(StandardCharsets.UTF_8), value, List.of());
    }

    @Override
    public Utf8 type() {
        return Utf8.of("contract.sent.v1");
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Utf8 aggregateType() {
        return Utf8.of("Contract");
    }

    @Override
    public boolean numericAggregateId() {
        return false;
    }

    @Override
    public OptionalLong aggregateVersion() {
        return OptionalLong.empty();
    }

    @Override
    public @Nullable Utf8 topic() {
        return null;
    }

    @Override
    public @Nullable Utf8 key() {
        return null;
    }

    @Override
    public byte[] payload() {
        return "{}".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public @Nullable Utf8 headersJson() {
        return null;
    }

    @Override
    public Instant createdAt() {
        return Instant.EPOCH;
    }

    @Override
    public int attempts() {
        return 0;
    }
}
