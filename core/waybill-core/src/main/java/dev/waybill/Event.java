package dev.waybill;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to one aggregate, on its way out. Immutable; complete and valid once built.
 *
 * <pre>{@code
 * Event placed = Event.of("order.order.placed.v1")
 *         .aggregate("Order", order.id())
 *         .payload(Payload.jsonOf(order))
 *         .build();
 * }</pre>
 *
 * Events with the same {@link #key() key} (the aggregate, unless one was given) are delivered in the order in which their
 * transactions appended them, as the guarantees say.
 */
public final class Event {
    /** Longest type, aggregate type or topic, in characters. */
    public static final int MAX_NAME_LENGTH = 255;
    /** Longest id, aggregate id or key, in characters. */
    public static final int MAX_KEY_LENGTH = 1_000;
    /** Most headers one event may carry. */
    public static final int MAX_HEADERS = 64;
    /** All header names and values of one event together, in characters. */
    public static final int MAX_HEADERS_LENGTH = 32_768;

    private final String id;
    private final String type;
    private final int version;
    private final String aggregateType;
    private final String aggregateId;
    private final OptionalLong aggregateVersion;
    private final @Nullable String topic;
    private final @Nullable String key;
    private final Payload payload;
    private final Map<String, String> headers;

    private Event(Builder b) {
        this.id = b.id == null ? EventIds.next() : Check.name("id", b.id, MAX_KEY_LENGTH);
        this.type = Check.required(b.type, "type", "Event.of(\"order.placed.v1\")", MAX_NAME_LENGTH);
        this.aggregateType =
                Check.required(b.aggregateType, "aggregate type", ".aggregate(\"Order\", orderId)", MAX_NAME_LENGTH);
        this.aggregateId =
                Check.required(b.aggregateId, "aggregate id", ".aggregate(\"Order\", orderId)", MAX_KEY_LENGTH);
        this.version = b.version;
        this.aggregateVersion = b.aggregateVersion;
        this.topic = b.topic == null ? null : Check.name("topic", b.topic, MAX_NAME_LENGTH);
        this.key = b.key == null ? null : Check.text("key", b.key, MAX_KEY_LENGTH);
        if (b.payload == null) {
            throw new InvalidEventException("Event " + type + " of " + aggregateType
                    + " has no payload: give one with .payload(Payload.json(...)), .payload(Payload.jsonOf(object)) or"
                    + " .payload(Payload.binary(...)).");
        }
        this.payload = b.payload;
        this.headers = Check.headers(b.headers);
    }

    public static Builder of(String type) {
        return new Builder(type);
    }

    /** Unique for ever; a UUIDv7 unless the application chose its own. */
    public String id() {
        return id;
    }

    public String type() {
        return type;
    }

    /** Version of the type's schema, 1 unless said. */
    public int version() {
        return version;
    }

    public String aggregateType() {
        return aggregateType;
    }

    public String aggregateId() {
        return aggregateId;
    }

    public OptionalLong aggregateVersion() {
        return aggregateVersion;
    }

    /** Where the event is to go, when the application decides that and not the relay's route. */
    public Optional<String> topic() {
        return Optional.ofNullable(topic);
    }

    /** The unit of order, when it is not the aggregate. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** The unit of order: the key if one was given, else the aggregate. */
    public String orderKey() {
        return key == null ? aggregateType + ":" + aggregateId : key;
    }

    public Payload payload() {
        return payload;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** Names the event without its payload, key or headers: those may be personal data. */
    @Override
    public String toString() {
        return "Event[" + id + " " + type + " v" + version + ", " + payload.size() + " bytes]";
    }

    public static final class Builder {
        private final String type;
        private @Nullable String id;
        private int version = 1;
        private @Nullable String aggregateType;
        private @Nullable String aggregateId;
        private OptionalLong aggregateVersion = OptionalLong.empty();
        private @Nullable String topic;
        private @Nullable String key;
        private @Nullable Payload payload;
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Builder(String type) {
            this.type = type;
        }

        /** An id of the application's own; the PostgreSQL journal takes UUIDs only. */
        public Builder id(String id) {
            this.id = Objects.requireNonNull(id, "id");
            return this;
        }

        public Builder version(int version) {
            this.version = version;
            return this;
        }

        public Builder aggregate(String aggregateType, String aggregateId) {
            this.aggregateType = aggregateType;
            this.aggregateId = aggregateId;
            return this;
        }

        public Builder aggregateVersion(long aggregateVersion) {
            this.aggregateVersion = OptionalLong.of(aggregateVersion);
            return this;
        }

        public Builder topic(String topic) {
            this.topic = Objects.requireNonNull(topic, "topic");
            return this;
        }

        public Builder key(String key) {
            this.key = Objects.requireNonNull(key, "key");
            return this;
        }

        public Builder payload(Payload payload) {
            this.payload = payload;
            return this;
        }

        public Builder header(String name, String value) {
            headers.put(Objects.requireNonNull(name, "name"), value);
            return this;
        }

        /**
         * @throws InvalidEventException when something is missing or cannot be stored; the message says what to do
         */
        public Event build() {
            return new Event(this);
        }
    }
}
