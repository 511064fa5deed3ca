package dev.waybill.connect;

import dev.waybill.RelayName;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.jsonschema.RegistryFile;
import dev.waybill.jsonschema.RegistryFileException;
import dev.waybill.registry.EventRegistry;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.TransactionSize;
import dev.waybill.route.Route;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.jspecify.annotations.Nullable;

/** The relay of a task. Methods throw {@link IllegalArgumentException} with the reason if the configuration cannot be used. */
record RelaySettings(AbstractConfig config) {
    /** Connect waits 5 s for a task that stops, and nothing is in flight any more when it stops one. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    RelayName name() {
        return new RelayName(config.getString(ConnectorKeys.RELAY));
    }

    Format format() {
        return switch (config.getString(ConnectorKeys.FORMAT)) {
            case "notification" -> Format.notification();
            case "debezium" -> Format.raw(HeaderStyle.DEBEZIUM);
            case "debezium-with-type" -> Format.raw(HeaderStyle.DEBEZIUM_WITH_TYPE);
            case "envelope" ->
                Format.envelope(text(ConnectorKeys.SOURCE)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "the envelope has no source: give the key source, such as order-service")));
            default -> Format.raw();
        };
    }

    Route route() {
        Map<String, String> topics = topicsByAggregateType();
        List<String> given = new ArrayList<>();
        text(ConnectorKeys.ROUTE_BY).ifPresent(by -> given.add(ConnectorKeys.ROUTE_BY));
        text(ConnectorKeys.ROUTE_TOPIC).ifPresent(topic -> given.add(ConnectorKeys.ROUTE_TOPIC));
        text(ConnectorKeys.ROUTE_TEMPLATE).ifPresent(template -> given.add(ConnectorKeys.ROUTE_TEMPLATE));
        if (!topics.isEmpty()) {
            given.add(ConnectorKeys.ROUTE_AGGREGATE_TYPE + "*");
        }
        if (given.size() > 1) {
            throw new IllegalArgumentException("the route has " + String.join(" and ", given) + ": give one of them");
        }
        String by = text(ConnectorKeys.ROUTE_BY).orElse("type");
        Optional<EventRegistry> registry = registry();
        if (by.equals("registry")) {
            return registry.map(EventRegistry::route)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the route is by registry, but there is none: add the key registry"));
        }
        Route route = topics.isEmpty()
                ? text(ConnectorKeys.ROUTE_TOPIC)
                        .map(Route::fixed)
                        .or(() -> text(ConnectorKeys.ROUTE_TEMPLATE).map(Route::template))
                        .orElseGet(() -> named(by))
                : Route.byAggregateType(topics);
        return registry.map(known -> known.checking(route)).orElse(route);
    }

    private static Route named(String by) {
        return switch (by) {
            case "stored-topic" -> Route.storedTopic();
            case "aggregate-type" -> Route.byAggregateType();
            default -> Route.byType();
        };
    }

    private Map<String, String> topicsByAggregateType() {
        Map<String, String> topics = new LinkedHashMap<>();
        config.originalsWithPrefix(ConnectorKeys.ROUTE_AGGREGATE_TYPE)
                .forEach((type, topic) -> topics.put(type, topic.toString()));
        return topics;
    }

    private Optional<EventRegistry> registry() {
        try {
            return text(ConnectorKeys.REGISTRY).map(file -> RegistryFile.read(Path.of(file)));
        } catch (RegistryFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    RelayOptions options() {
        RelayOptions defaults = RelayOptions.defaults();
        return defaults.batch(
                        new BatchSize(config.getInt(ConnectorKeys.BATCH), config.getLong(ConnectorKeys.BATCH_BYTES)))
                .poll(new RelayOptions.Poll(millis(ConnectorKeys.POLL_INTERVAL), millis(ConnectorKeys.POLL_MAX_IDLE)))
                .onDead(StoreSettings.constant(RelayOptions.OnDead.class, config.getString(ConnectorKeys.ON_DEAD)))
                .lease(millis(ConnectorKeys.LEASE))
                .grace(GRACE);
    }

    TransactionSize transactions() {
        return new TransactionSize(
                config.getInt(ConnectorKeys.TRANSACTION_EVENTS), millis(ConnectorKeys.TRANSACTION_LINGER));
    }

    RecordForm form() {
        return new RecordForm(
                config.getString(ConnectorKeys.KEY_AS).equals(ConnectorKeys.STRING),
                config.getString(ConnectorKeys.VALUE_AS).equals(ConnectorKeys.STRING),
                config.getString(ConnectorKeys.MESSAGE_TIMESTAMP).equals(ConnectorKeys.CREATED_AT),
                config.getBoolean(ConnectorKeys.MESSAGE_TOMBSTONE),
                config.getLong(ConnectorKeys.MAX_MESSAGE_BYTES));
    }

    private Duration millis(String key) {
        return Duration.ofMillis(config.getLong(key));
    }

    private Optional<String> text(String key) {
        @Nullable String value = config.getString(key);
        return Optional.ofNullable(value);
    }
}
