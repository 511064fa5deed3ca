package dev.waybill.inbox;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a destination is told of the event behind a dead letter: its id, and the key that keeps its order. */
record DeadEvent(String eventId, InboundMessage message) implements StoredEvent {
    @Override
    public Utf8 id() {
        return Utf8.of(eventId);
    }

    @Override
    public Utf8 type() {
        return Utf8.of("dead-letter");
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Utf8 aggregateType() {
        return Utf8.of("dead-letter");
    }

    @Override
    public Utf8 aggregateId() {
        return id();
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
        byte[] key = message.key();
        return key == null ? null : Utf8.wrap(key);
    }

    @Override
    public byte[] payload() {
        return message.value();
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
