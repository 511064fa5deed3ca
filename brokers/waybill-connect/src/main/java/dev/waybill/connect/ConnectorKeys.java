package dev.waybill.connect;

import dev.waybill.RelayDefaults;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.TransactionSize;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Recommender;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/** The keys of a connector's configuration: the words of Waybill's own configuration, with times in milliseconds. */
final class ConnectorKeys {
    static final String RELAY = "relay";
    static final String STORES = "stores";
    static final String STORE = "store.";
    static final String STORE_TYPE = "store.type";
    static final String STORE_URL = "store.url";
    static final String STORE_USER = "store.user";
    static final String STORE_PASSWORD = "store.password";
    static final String STORE_LAYOUT = "store.layout";
    static final String STORE_COMPETING = "store.competing";
    static final String STORE_START = "store.start";
    static final String STORE_WAIT_FOR = "store.wait-for";
    static final String STORE_STANDBYS = "store.standbys";
    static final String STORE_ENVIRONMENT = "store.environment";
    static final String FORMAT = "format";
    static final String SOURCE = "source";
    static final String REGISTRY = "registry";
    static final String ROUTE = "route.";
    static final String ROUTE_BY = "route.by";
    static final String ROUTE_TOPIC = "route.topic";
    static final String ROUTE_TEMPLATE = "route.template";
    static final String ROUTE_AGGREGATE_TYPE = "route.aggregate-type.";
    static final String KEY_AS = "key.as";
    static final String VALUE_AS = "value.as";
    static final String MESSAGE = "message.";
    static final String MESSAGE_TIMESTAMP = "message.timestamp";
    static final String MESSAGE_TOMBSTONE = "message.tombstone";
    static final String MAX_MESSAGE_BYTES = "max-message-bytes";
    static final String BATCH = "batch";
    static final String BATCH_BYTES = "batch-bytes";
    static final String POLL_INTERVAL = "poll.interval.ms";
    static final String POLL_MAX_IDLE = "poll.max-idle.ms";
    static final String ON_DEAD = "on-dead";
    static final String LEASE = "lease.ms";
    static final String TRANSACTION_EVENTS = "transaction.max-events";
    static final String TRANSACTION_LINGER = "transaction.linger.ms";

    static final String JOURNAL = "postgres-journal";
    static final String TABLE = "table";
    static final String CREATED_AT = "created-at";
    static final String NONE = "none";
    static final String STRING = "string";
    static final String BYTES = "bytes";
    static final List<String> PRESETS = List.of("polyshop", "orders", "pubsub", "notifications", "waybill", "debezium");

    private static final int DEFAULT_MAX_MESSAGE_BYTES = 1_000_000;

    private static final ConfigDef ALL = new Definition("Store")
            .required(RELAY, "The name of the relay in its stores. It has a position, a lease and parked events there.")
            .words(
                    STORE_TYPE,
                    JOURNAL,
                    "The kind of the store: a journal on PostgreSQL, or an outbox table.",
                    JOURNAL,
                    TABLE)
            .optional(
                    STORE_URL,
                    ConfigDef.Type.STRING,
                    "The address of the database: jdbc:postgresql://HOST:PORT/DATABASE. Required, here or for each of the"
                            + " stores.")
            .optional(STORE_USER, ConfigDef.Type.STRING, "The user of the database.")
            .optional(STORE_PASSWORD, ConfigDef.Type.PASSWORD, "The password of the user.")
            .list(
                    STORES,
                    "Names of several stores, each read by a task of its own. stores.NAME.KEY takes precedence over store.KEY, such"
                            + " as stores.north.url. Default: one store.")
            .recommended(
                    STORE_LAYOUT,
                    PRESETS,
                    "The layout of an outbox table: a preset. store.layout.table, .schema, .columns.COLUMN, .id-kind,"
                            + " .aggregate-id-kind, .payload-kind, .published and .aggregate-type change it.")
            .flag(STORE_COMPETING, "Whether rows of a table are sent in no order, and several relays share them.")
            .words(STORE_START, "beginning", "Where a new relay of a journal begins.", "beginning", "now")
            .words(
                    STORE_WAIT_FOR,
                    "commit",
                    "How safe a commit must be before its events are sent: committed, flushed, or received by a replica.",
                    "commit",
                    "flush",
                    "replica")
            .list(STORE_STANDBYS, "Names of the replicas for store.wait-for=replica.")
            .optional(
                    STORE_ENVIRONMENT,
                    ConfigDef.Type.STRING,
                    "The environment that the journal is bound to, such as production. A relay of another one is refused.")
            .group("Messages")
            .words(
                    FORMAT,
                    "raw",
                    "The form of messages: a JSON object around the payload (envelope, notification), or the payload alone (raw,"
                            + " stored), also with the headers of Debezium's outbox router (debezium, debezium-with-type).",
                    "envelope",
                    "raw",
                    "notification",
                    "stored",
                    "debezium",
                    "debezium-with-type")
            .optional(SOURCE, ConfigDef.Type.STRING, "The envelope's source: the service the events come from.")
            .optional(
                    REGISTRY,
                    ConfigDef.Type.STRING,
                    "A file with the types of events and their schemas, on every worker.")
            .optional(
                    ROUTE_BY,
                    ConfigDef.Type.STRING,
                    ValidString.in(null, "type", "aggregate-type", "stored-topic", "registry"),
                    "To the topic named like the event's type or like its aggregate type, to the topic stored with the event, or as"
                            + " the registry says. Default: type, if no other key of the route is given. Topics by aggregate type:"
                            + " route.aggregate-type.TYPE=TOPIC.")
            .optional(ROUTE_TOPIC, ConfigDef.Type.STRING, "All events to one topic.")
            .optional(
                    ROUTE_TEMPLATE,
                    ConfigDef.Type.STRING,
                    "A template of the topic with {type}, {aggregateType} and {aggregateId}.")
            .words(KEY_AS, STRING, "What the key converter gets: a string or bytes.", STRING, BYTES)
            .words(
                    VALUE_AS,
                    BYTES,
                    "What the value converter gets: bytes for the ByteArrayConverter, a string for the StringConverter.",
                    STRING,
                    BYTES)
            .words(
                    MESSAGE_TIMESTAMP,
                    NONE,
                    "The time of records: when the event was appended, or when the record is sent.",
                    NONE,
                    CREATED_AT)
            .flag(MESSAGE_TOMBSTONE, "Whether an empty payload is sent as a tombstone.")
            .number(
                    MAX_MESSAGE_BYTES,
                    ConfigDef.Type.LONG,
                    DEFAULT_MAX_MESSAGE_BYTES,
                    "Size of the largest record. An event that is larger is dead; the producer would fail the task. Not above"
                            + " max.request.size of the producer.")
            .group("Relay")
            .number(
                    BATCH,
                    ConfigDef.Type.INT,
                    RelayDefaults.standard().batch(),
                    "Largest number of events that are read at once.")
            .number(
                    BATCH_BYTES,
                    ConfigDef.Type.LONG,
                    RelayOptions.defaults().batch().bytes(),
                    "Largest size of the events that are read at once.")
            .number(
                    POLL_INTERVAL,
                    ConfigDef.Type.LONG,
                    RelayDefaults.standard().pollInterval().toMillis(),
                    "Time between polls of the store after a tenth of a second without events.")
            .number(
                    POLL_MAX_IDLE,
                    ConfigDef.Type.LONG,
                    RelayDefaults.standard().maxIdle().toMillis(),
                    "Time between polls of the store after a long time without events.")
            .words(
                    ON_DEAD,
                    "pass",
                    "Whether later events of a key with a dead event are sent (pass) or wait for an operator (hold).",
                    "pass",
                    "hold")
            .number(
                    LEASE,
                    ConfigDef.Type.LONG,
                    RelayOptions.defaults().lease().toMillis(),
                    "How long another task waits before it takes over from one that died.")
            .number(
                    TRANSACTION_EVENTS,
                    ConfigDef.Type.INT,
                    TransactionSize.MAX_EVENTS,
                    "With exactly once, events in one transaction. The last page may exceed it by less than a batch.")
            .number(
                    TRANSACTION_LINGER,
                    ConfigDef.Type.LONG,
                    TransactionSize.LINGER.toMillis(),
                    "With exactly once, how long a transaction collects events while there are more.")
            .definition;

    private ConnectorKeys() {}

    static ConfigDef definition() {
        return ALL;
    }

    /** Adds keys in groups. */
    private static final class Definition {
        private final ConfigDef definition = new ConfigDef();
        private String group;
        private int order;

        Definition(String group) {
            this.group = group;
        }

        Definition group(String other) {
            group = other;
            return this;
        }

        Definition required(String key, String documentation) {
            return add(
                    key,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    documentation,
                    null);
        }

        Definition optional(String key, ConfigDef.Type type, String documentation) {
            return add(key, type, null, null, documentation, null);
        }

        Definition optional(String key, ConfigDef.Type type, Validator validator, String documentation) {
            return add(key, type, null, validator, documentation, null);
        }

        Definition list(String key, String documentation) {
            return add(key, ConfigDef.Type.LIST, List.of(), null, documentation, null);
        }

        Definition words(String key, String byDefault, String documentation, String... words) {
            return add(key, ConfigDef.Type.STRING, byDefault, ValidString.in(words), documentation, List.of(words));
        }

        Definition recommended(String key, List<String> words, String documentation) {
            return add(key, ConfigDef.Type.STRING, null, null, documentation, words);
        }

        Definition flag(String key, String documentation) {
            return add(key, ConfigDef.Type.BOOLEAN, false, null, documentation, null);
        }

        Definition number(String key, ConfigDef.Type type, Number byDefault, String documentation) {
            Number typed = type == ConfigDef.Type.LONG ? (Number) byDefault.longValue() : byDefault;
            return add(key, type, typed, Range.atLeast(1), documentation, null);
        }

        private Definition add(
                String key,
                ConfigDef.Type type,
                @Nullable Object byDefault,
                @Nullable Validator validator,
                String documentation,
                @Nullable List<String> words) {
            order++;
            Importance importance = byDefault == ConfigDef.NO_DEFAULT_VALUE ? Importance.HIGH : Importance.MEDIUM;
            @Nullable Recommender recommender = words == null ? null : new Words(words);
            definition.define(
                    key,
                    type,
                    byDefault,
                    validator,
                    importance,
                    documentation,
                    group,
                    order,
                    Width.MEDIUM,
                    key,
                    recommender);
            return this;
        }
    }

    private record Words(List<String> words) implements Recommender {
        @Override
        public List<Object> validValues(String name, Map<String, Object> parsed) {
            return List.copyOf(words);
        }

        @Override
        public boolean visible(String name, Map<String, Object> parsed) {
            return true;
        }
    }
}
