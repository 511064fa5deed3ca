package dev.waybill.connect;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/** Finds mistakes that concern several keys, or keys of Connect, and adds them to what Connect itself has found. */
final class ConfigurationCheck {
    private static final String KEY_CONVERTER = "key.converter";
    private static final String VALUE_CONVERTER = "value.converter";
    private static final String TOLERANCE = "errors.tolerance";
    private static final String TASKS = "tasks.max";
    private static final long DEFAULT_TASKS = 1;
    private static final String IN_FLIGHT = "producer.override.max.in.flight.requests.per.connection";
    private static final String REQUEST_SIZE = "producer.override.max.request.size";
    static final String SUPPORT = "exactly.once.support";
    static final String REQUIRED = "required";
    static final String BOUNDARY = "transaction.boundary";
    static final String BY_CONNECTOR = "connector";

    /** Keys that begin like this are ours; a misspelled one would be ignored. */
    private static final List<String> OWN = List.of(
            ConnectorKeys.STORE,
            ConnectorKeys.STORES,
            ConnectorKeys.ROUTE,
            ConnectorKeys.MESSAGE,
            "batch",
            "lease",
            "poll.",
            "transaction.");

    private static final List<String> OPEN =
            List.of(ConnectorKeys.STORE_LAYOUT + ".", ConnectorKeys.ROUTE_AGGREGATE_TYPE, BOUNDARY);

    /** Converters of Connect that accept only one of the two, by the ends of their names. */
    private static final Map<String, String> FITTING = Map.of(
            "StringConverter", ConnectorKeys.STRING,
            "ByteArrayConverter", ConnectorKeys.BYTES);

    private final Map<String, String> connector;
    private final Map<String, ConfigValue> values = new LinkedHashMap<>();

    private ConfigurationCheck(Map<String, String> connector, Config found) {
        this.connector = connector;
        found.configValues().forEach(value -> values.put(value.name(), value));
    }

    static Config complete(Map<String, String> connector, Config found) {
        ConfigurationCheck check = new ConfigurationCheck(connector, found);
        check.checkConnect();
        check.checkNames();
        if (found.configValues().stream()
                .allMatch(value -> value.errorMessages().isEmpty())) {
            Set<String> addresses = new HashSet<>();
            ConfiguredStores.tasks(connector)
                    .forEach(task -> check.checkTask(ConfiguredStores.ofTask(task), addresses));
        }
        return new Config(List.copyOf(check.values.values()));
    }

    private void checkConnect() {
        checkConverter(KEY_CONVERTER, ConnectorKeys.KEY_AS);
        checkConverter(VALUE_CONVERTER, ConnectorKeys.VALUE_AS);
        if ("all".equalsIgnoreCase(connector.get(TOLERANCE))) {
            mistake(
                    TOLERANCE,
                    "is all, which loses events that Connect cannot convert or send: use none. Events that Waybill cannot send"
                            + " are kept as dead ones, and the task continues");
        }
        int stores = ConfiguredStores.names(connector).size();
        long tasks = number(TASKS).orElse(DEFAULT_TASKS);
        if (tasks < stores) {
            mistake(
                    TASKS,
                    "is " + tasks + ", and there are " + stores + " stores, each with its own task: use " + stores);
        }
        if (!isExactlyOnce() && !"true".equals(connector.get("producer.override.enable.idempotence"))) {
            number(IN_FLIGHT)
                    .filter(requests -> requests > 1)
                    .ifPresent(requests -> mistake(
                            IN_FLIGHT,
                            "is " + requests + ", so a repeated request can change the order of a key: use 1, or set"
                                    + " producer.override.enable.idempotence=true"));
        }
        if (REQUIRED.equalsIgnoreCase(connector.get(SUPPORT)) && !isExactlyOnce()) {
            mistake(
                    BOUNDARY,
                    "is not connector, but " + SUPPORT + " is required: set " + BOUNDARY
                            + "=connector. Then every poll is a"
                            + " transaction, and the task knows that the worker really makes transactions");
        }
    }

    private void checkConverter(String converter, String as) {
        @Nullable String name = connector.get(converter);
        if (name == null) {
            mistake(
                    converter,
                    "is not given, so that of the worker applies, which is often JSON: give the one that belongs to "
                            + as
                            + ", such as org.apache.kafka.connect.storage.StringConverter or"
                            + " org.apache.kafka.connect.converters.ByteArrayConverter");
            return;
        }
        @Nullable ConfigValue given = values.get(as);
        FITTING.forEach((end, fitting) -> {
            if (name.endsWith(end) && given != null && !fitting.equals(given.value())) {
                mistake(
                        as,
                        "is " + given.value() + ", but " + converter + " is " + name
                                + ", which would fail or send something else: use " + as + "=" + fitting);
            }
        });
    }

    private void checkNames() {
        Set<String> known = ConnectorKeys.definition().names();
        List<String> stores = ConfiguredStores.names(connector);
        connector.keySet().stream()
                .filter(key -> OWN.stream().anyMatch(key::startsWith))
                .filter(key -> {
                    String general = ConfiguredStores.general(key, stores);
                    return !known.contains(general) && OPEN.stream().noneMatch(general::startsWith);
                })
                .forEach(key -> mistake(key, "is not known: see the documentation of the connector for its keys"));
    }

    private void checkTask(Map<String, String> task, Set<String> addresses) {
        AbstractConfig config;
        try {
            config = new AbstractConfig(ConnectorKeys.definition(), task, false);
        } catch (org.apache.kafka.common.config.ConfigException e) {
            mistake(ConnectorKeys.STORES, String.valueOf(e.getMessage()));
            return;
        }
        StoreSettings store = new StoreSettings(config);
        RelaySettings relay = new RelaySettings(config);
        check(ConnectorKeys.STORE_URL, store::dataSource);
        if (!addresses.add(String.valueOf(config.getString(ConnectorKeys.STORE_URL)))) {
            mistake(
                    ConnectorKeys.STORES,
                    "names two stores with the same url, which one relay cannot both read: give each its own");
        }
        if (store.isJournal()) {
            check(ConnectorKeys.STORE_WAIT_FOR, store::journal);
        } else {
            check(ConnectorKeys.STORE_LAYOUT, store::layout);
            if (REQUIRED.equalsIgnoreCase(connector.get(SUPPORT))) {
                mistake(
                        SUPPORT,
                        "is required, but a table can only be sent at least once: use a store of type "
                                + ConnectorKeys.JOURNAL + ", or remove the key");
            }
        }
        check(ConnectorKeys.RELAY, relay::name);
        check(ConnectorKeys.FORMAT, relay::format);
        check(ConnectorKeys.ROUTE_BY, relay::route);
        check(ConnectorKeys.POLL_INTERVAL, relay::options);
        check(ConnectorKeys.TRANSACTION_LINGER, relay::transactions);
        long largest = config.getLong(ConnectorKeys.MAX_MESSAGE_BYTES);
        number(REQUEST_SIZE)
                .filter(size -> size < largest)
                .ifPresent(size -> mistake(
                        ConnectorKeys.MAX_MESSAGE_BYTES,
                        "is " + largest + ", more than " + REQUEST_SIZE + " of " + size
                                + ": a record between the two would fail the task"));
    }

    private boolean isExactlyOnce() {
        return BY_CONNECTOR.equalsIgnoreCase(connector.get(BOUNDARY));
    }

    private Optional<Long> number(String key) {
        @Nullable String text = connector.get(key);
        try {
            return text == null ? Optional.empty() : Optional.of(Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            return Optional.empty(); // reported by Connect
        }
    }

    private void check(String key, Runnable attempt) {
        try {
            attempt.run();
        } catch (IllegalArgumentException e) {
            mistake(key, String.valueOf(e.getMessage()));
        }
    }

    private void mistake(String key, String why) {
        ConfigValue value = values.computeIfAbsent(key, ConfigValue::new);
        String message = key + ": " + why + ".";
        // Several stores may have the same one.
        if (!value.errorMessages().contains(message)) {
            value.addErrorMessage(message);
        }
    }
}
