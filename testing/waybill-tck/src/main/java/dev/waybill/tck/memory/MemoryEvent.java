package dev.waybill.tck.memory;

import dev.waybill.Event;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A committed event.
 *
 * @param position its position in commit order
 * @param isWithheld whether a claim returns it without payload, headers and content type
 */
record MemoryEvent(long position, Event event, Instant createdAt, int attempts, boolean isWithheld)
        implements StoredEvent {

    MemoryEvent(long position, Event event, Instant createdAt) {
        this(position, event, createdAt, 0, false);
    }

    MemoryEvent withAttempts(int attempts) {
        return new MemoryEvent(position, event, createdAt, attempts, isWithheld);
    }

    /** The event as returned by a claim with this limit of bytes. */
    MemoryEvent within(long largest) {
        Utf8 headers = headersJson();
        boolean tooLarge = payload().length > largest || (headers != null && headers.bytes().length > largest);
        return new MemoryEvent(position, event, createdAt, attempts, tooLarge);
    }

    @Override
    public long bytes() {
        return isWithheld ? new MemoryEvent(position, event, createdAt).bytes() : StoredEvent.super.bytes();
    }

    @Override
    public Utf8 id() {
        return Utf8.of(event.id());
    }

    @Override
    public Utf8 type() {
        return Utf8.of(event.type());
    }

    @Override
    public int version() {
        return event.version();
    }

    @Override
    public Utf8 aggregateType() {
        return Utf8.of(event.aggregateType());
    }

    @Override
    public Utf8 aggregateId() {
        return Utf8.of(event.aggregateId());
    }

    @Override
    public boolean numericAggregateId() {
        return false;
    }

    @Override
    public OptionalLong aggregateVersion() {
        return event.aggregateVersion();
    }

    @Override
    public @Nullable Utf8 topic() {
        return event.topic().map(Utf8::of).orElse(null);
    }

    @Override
    public @Nullable Utf8 key() {
        return event.key().map(Utf8::of).orElse(null);
    }

    @Override
    public byte[] payload() {
        return isWithheld ? new byte[0] : event.payload().bytes();
    }

    @Override
    public String contentType() {
        return isWithheld ? "" : event.payload().contentType();
    }

    @Override
    public @Nullable Utf8 headersJson() {
        return isWithheld || event.headers().isEmpty()
                ? null
                : Utf8.wrap(JsonMapper.shared().writeValueAsBytes(event.headers()));
    }
}
