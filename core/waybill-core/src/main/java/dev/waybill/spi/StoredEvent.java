package dev.waybill.spi;

import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An event as a store gives it to the relay: fields in their stored bytes, read when asked for. Stores implement it on
 * what their driver gave them.
 */
public interface StoredEvent {
    Utf8 id();

    Utf8 type();

    int version();

    Utf8 aggregateType();

    Utf8 aggregateId();

    /** Whether the store keeps the aggregate's id as a number: then it is one in messages too. */
    boolean numericAggregateId();

    OptionalLong aggregateVersion();

    /** The topic the application stored with the event. */
    @Nullable Utf8 topic();

    /** The key the application stored with the event. */
    @Nullable Utf8 key();

    /** Stored bytes of the payload, unchanged; not to be changed. */
    byte[] payload();

    /** {@code application/json}, or what the application declared. */
    String contentType();

    /** Whether its database keeps the payload as JSON, so that it is one JSON value for sure. */
    default boolean isKnownJson() {
        return false;
    }

    /** The headers as a JSON object of strings, or nothing when there are none. */
    @Nullable Utf8 headersJson();

    Instant createdAt();

    /** How often it was sent before and failed. */
    int attempts();

    /** How many bytes its fields have together, also those that were withheld. */
    default long bytes() {
        Utf8 topic = topic();
        Utf8 key = key();
        Utf8 headers = headersJson();
        return (long) payload().length
                + contentType().length()
                + (headers == null ? 0 : headers.bytes().length)
                + (topic == null ? 0 : topic.bytes().length)
                + (key == null ? 0 : key.bytes().length)
                + id().bytes().length
                + type().bytes().length
                + aggregateType().bytes().length
                + aggregateId().bytes().length;
    }

    /**
     * Whether it is larger than {@link Limits#largest} and came without payload, headers and content type, so that nobody has
     * to hold them in memory: no destination of the relay would take it.
     */
    default boolean isWithheld() {
        return false;
    }

    /** The unit of order: the stored key, or else the aggregate. */
    default Utf8 orderKey() {
        Utf8 key = key();
        if (key != null) {
            return key;
        }
        byte[] type = aggregateType().bytes();
        byte[] id = aggregateId().bytes();
        byte[] both = new byte[type.length + 1 + id.length];
        System.arraycopy(type, 0, both, 0, type.length);
        both[type.length] = ':';
        System.arraycopy(id, 0, both, type.length + 1, id.length);
        return Utf8.wrap(both);
    }
}
