package dev.waybill.inbox;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a destination is told of the event behind a dead letter: its id and type as far as they could be read, and the key
 * that keeps its order. It came into being when it was given up.
 */
record DeadEvent(Held held, Instant failedAt) implements StoredEvent {
    private static final String UNKNOWN = "dead-letter";
    /** Every broker takes an id and a type of so many bytes. */
    private static final int MOST_BYTES = 255;

    @Override
    public Utf8 id() {
        Utf8 place = Utf8.of(held.message.place());
        Utf8 id = held.event == null ? place : shortOr(held.event.id(), place);
        return shortOr(id.toString(), Utf8.of(UNKNOWN));
    }

    @Override
    public Utf8 type() {
        Utf8 unknown = Utf8.of(UNKNOWN);
        return held.event == null ? unknown : shortOr(held.event.type(), unknown);
    }

    private static Utf8 shortOr(String text, Utf8 otherwise) {
        Utf8 bytes = Utf8.of(text);
        return bytes.length() <= MOST_BYTES ? bytes : otherwise;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Utf8 aggregateType() {
        return Utf8.of(UNKNOWN);
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
        byte[] key = held.message.key();
        return key == null ? null : Utf8.wrap(key);
    }

    @Override
    public byte[] payload() {
        return held.message.value();
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
        return failedAt;
    }

    @Override
    public int attempts() {
        return 0;
    }
}
