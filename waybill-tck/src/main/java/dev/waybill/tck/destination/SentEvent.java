package dev.waybill.tck.destination;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The event behind a message of the contract: nothing of it matters but its id and the key it is ordered by. */
record SentEvent(Utf8 id, Utf8 aggregateId) implements StoredEvent {

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
