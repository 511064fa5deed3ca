package dev.waybill.spi;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An event as read from a store. Fields are the stored bytes, decoded on demand. Stores implement it on top of the data that
 * their driver returned.
 */
public interface StoredEvent {
    Utf8 id();

    Utf8 type();

    int version();

    Utf8 aggregateType();

    Utf8 aggregateId();

    /** Whether the store keeps the aggregate's id as a number; then it is a number in messages too. */
    boolean numericAggregateId();

    OptionalLong aggregateVersion();

    @Nullable Utf8 topic();

    @Nullable Utf8 key();

    /** The stored bytes of the payload; must not be changed. */
    byte[] payload();

    /** {@code application/json}, or the content type that the application declared. */
    String contentType();

    /** Whether the database stores the payload as JSON, which guarantees one valid JSON value. */
    default boolean isKnownJson() {
        return false;
    }

    /** The headers as a JSON object of strings; empty if there are none. */
    @Nullable Utf8 headersJson();

    Instant createdAt();

    /** Number of failed attempts so far. */
    int attempts();

    /** Failed attempts after which the store counts the event as dead, whatever the relay's retry policy allows. */
    default int maxAttempts() {
        return Integer.MAX_VALUE;
    }

    /** Size of all fields together, including withheld ones. */
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
     * Whether it is larger than {@link Limits#largest} and was read without payload, headers and content type, to save memory:
     * the relay's destination would refuse it.
     */
    default boolean isWithheld() {
        return false;
    }

    /**
     * Why the store could not read all of it, and what to do. Such an event is dead. Fields that cannot be read are empty.
     */
    default Optional<String> unreadable() {
        return Optional.empty();
    }

    /** The unit of order: the stored key, or the aggregate if there is none. */
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
