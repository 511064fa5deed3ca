package dev.waybill;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to one aggregate. Immutable; every part is checked when it is set.
 *
 * <pre>{@code
 * Event placed = Event.of("order.placed.v1")
 *         .aggregate("Order", order.id())
 *         .payload(Payload.jsonOf(order))
 *         .header("tenant", "acme"); // optional parts follow the payload; each returns a copy
 * }</pre>
 *
 * Events with the same {@linkplain #orderKey() key} are delivered in the order in which their transactions appended
 * them, as the guarantees say.
 */
public final class Event {
    /** Longest type, aggregate type or topic, in characters. */
    public static final int MAX_NAME_LENGTH = 255;
    /** Longest id, aggregate id or key, in characters. */
    public static final int MAX_KEY_LENGTH = 1_000;
    /** Maximum number of headers. */
    public static final int MAX_HEADERS = 64;
    /** Maximum length of all header names and values together, in characters. */
    public static final int MAX_HEADERS_LENGTH = 32_768;

    private final String type;
    private final String aggregateType;
    private final String aggregateId;
    private final Payload payload;
    private final Options options;

    private Event(OfAggregate head, Payload payload, Options options) {
        this.type = head.type;
        this.aggregateType = head.aggregateType;
        this.aggregateId = head.aggregateId;
        this.payload = payload;
        this.options = options;
    }

    private Event(Event event, Options options) {
        this.type = event.type;
        this.aggregateType = event.aggregateType;
        this.aggregateId = event.aggregateId;
        this.payload = event.payload;
        this.options = options;
    }

    /**
     * @throws InvalidEventException if the type is missing or cannot be stored. All methods of this class throw it for an
     *     invalid argument; the message says what to do
     */
    public static OfType of(String type) {
        return new OfType(Check.required(type, "type", "Event.of(\"order.placed.v1\")", MAX_NAME_LENGTH));
    }

    /** An event that has a type and needs an aggregate. */
    public static final class OfType {
        private final String type;

        private OfType(String type) {
            this.type = type;
        }

        public OfAggregate aggregate(String aggregateType, String aggregateId) {
            String example = ".aggregate(\"Order\", orderId)";
            return new OfAggregate(
                    type,
                    Check.required(aggregateType, "aggregate type", example, MAX_NAME_LENGTH),
                    Check.required(aggregateId, "aggregate id", example, MAX_KEY_LENGTH));
        }
    }

    /** An event that has a type and an aggregate, and needs a payload. */
    public static final class OfAggregate {
        private final String type;
        private final String aggregateType;
        private final String aggregateId;

        private OfAggregate(String type, String aggregateType, String aggregateId) {
            this.type = type;
            this.aggregateType = aggregateType;
            this.aggregateId = aggregateId;
        }

        /** The event, with a new id, version 1 and the aggregate as its key. */
        public Event payload(Payload payload) {
            if (payload == null) {
                throw new InvalidEventException("Event " + type + " of " + aggregateType
                        + " has no payload: give one with .payload(Payload.json(...)),"
                        + " .payload(Payload.jsonOf(object)) or .payload(Payload.binary(...)).");
            }
            return new Event(this, payload, Options.defaults());
        }
    }

    /** A copy with an id chosen by the application; the PostgreSQL journal accepts only UUIDs. */
    public Event id(String id) {
        return new Event(this, options.id(Check.name("id", Objects.requireNonNull(id, "id"), MAX_KEY_LENGTH)));
    }

    /** A copy with another version of the type's schema. */
    public Event version(int version) {
        return new Event(this, options.version(version));
    }

    public Event aggregateVersion(long aggregateVersion) {
        return new Event(this, options.aggregateVersion(aggregateVersion));
    }

    /** A copy with a topic, for relays that route by the stored topic. */
    public Event topic(String topic) {
        return new Event(
                this, options.topic(Check.name("topic", Objects.requireNonNull(topic, "topic"), MAX_NAME_LENGTH)));
    }

    /** A copy with this key as its unit of order, instead of the aggregate. */
    public Event key(String key) {
        return new Event(this, options.key(Check.text("key", Objects.requireNonNull(key, "key"), MAX_KEY_LENGTH)));
    }

    /** A copy with this header added or replaced. */
    public Event header(String name, String value) {
        return new Event(
                this, options.headers(Check.headers(options.headers, Objects.requireNonNull(name, "name"), value)));
    }

    /** Never used twice; a UUIDv7 by default. */
    public String id() {
        return options.id;
    }

    public String type() {
        return type;
    }

    /** Version of the type's schema; default: 1. */
    public int version() {
        return options.version;
    }

    public String aggregateType() {
        return aggregateType;
    }

    public String aggregateId() {
        return aggregateId;
    }

    public OptionalLong aggregateVersion() {
        return options.aggregateVersion;
    }

    /** The topic, if the application set one; otherwise the relay's route determines it. */
    public Optional<String> topic() {
        return Optional.ofNullable(options.topic);
    }

    /** The key, if the application set one. */
    public Optional<String> key() {
        return Optional.ofNullable(options.key);
    }

    /** The unit of order: the key if it is set, otherwise the aggregate. */
    public String orderKey() {
        return options.key == null ? aggregateType + ":" + aggregateId : options.key;
    }

    public Payload payload() {
        return payload;
    }

    /** In the order in which they were added; unmodifiable. */
    public Map<String, String> headers() {
        return options.headers;
    }

    /** Without payload, key and headers, which may be personal data. */
    @Override
    public String toString() {
        return "Event[" + id() + " " + type + " v" + version() + ", " + payload.size() + " bytes]";
    }

    /** The parts of an event that have a default. */
    private record Options(
            String id,
            int version,
            OptionalLong aggregateVersion,
            @Nullable String topic,
            @Nullable String key,
            Map<String, String> headers) {

        static Options defaults() {
            return new Options(EventIds.next(), 1, OptionalLong.empty(), null, null, Map.of());
        }

        Options id(String id) {
            return new Options(id, version, aggregateVersion, topic, key, headers);
        }

        Options version(int version) {
            return new Options(id, version, aggregateVersion, topic, key, headers);
        }

        Options aggregateVersion(long aggregateVersion) {
            return new Options(id, version, OptionalLong.of(aggregateVersion), topic, key, headers);
        }

        Options topic(String topic) {
            return new Options(id, version, aggregateVersion, topic, key, headers);
        }

        Options key(String key) {
            return new Options(id, version, aggregateVersion, topic, key, headers);
        }

        Options headers(Map<String, String> headers) {
            return new Options(id, version, aggregateVersion, topic, key, headers);
        }
    }
}
