package dev.waybill.trials;

import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.format.Format;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;

/** A relay, topics of which some refuse messages, and events identified by their type. */
final class PoisonScene {
    private static final RelayName RELAY = new RelayName("poisoned");
    private static final Actor OPERATOR = new Actor("trial", "the cause is mended");
    private static final String GOOD = "orders";
    private static final int SMALL_BYTES = 20_000;

    private final TrialDatabase database;
    private final StoreAdmin admin;
    private final String prefix;
    private final TopicReader orders;
    private final Map<UUID, String> types = new HashMap<>();
    private final JdbcOutbox outbox = JdbcOutbox.journal();

    PoisonScene(Trial trial, RelayOptions options) throws Exception {
        this.database = trial.database();
        this.admin = database.journal().admin();
        RelaySettings settings = trial.relay(RELAY.value());
        this.prefix = settings.topics() + ".";
        Topics.make(List.of(topic(GOOD), topic(Poison.FORBIDDEN.topic), topic(Poison.HIDDEN.topic)));
        Topics.make(topic(Poison.LARGE.topic), Map.of("max.message.bytes", Integer.toString(SMALL_BYTES)));
        Topics.rule(topic(Poison.FORBIDDEN.topic), AclOperation.DESCRIBE, AclPermissionType.ALLOW);
        Topics.rule(topic(Poison.HIDDEN.topic), AclOperation.ALL, AclPermissionType.DENY);
        this.orders = trial.opened(new TopicReader(List.of(topic(GOOD))));
        Destination destination = trial.opened(settings.destination());
        Stamp stamp = new Stamp();
        trial.opened(Relay.named(RELAY.value())
                .from(stamp.on(database.journal()))
                .to(destination)
                .route(event -> {
                    Address address = Route.storedTopic().addressOf(event);
                    return new Address(topic(address.topic()), address.key());
                })
                .format(stamp.on(Format.raw()))
                .options(options)
                .start());
    }

    private String topic(String stored) {
        return prefix + stored;
    }

    /** Appends each poison event between two valid events of its key, in separate transactions. */
    void appendPoison() throws SQLException {
        for (Poison poison : Poison.values()) {
            append("before-" + poison, poison.name(), GOOD, 10);
            append(poison.name(), poison.name(), poison.topic, poison == Poison.LARGE ? 5 * SMALL_BYTES : 10);
            append(poison.follower(), poison.name(), GOOD, 10);
        }
    }

    /** Events of other keys. */
    List<String> appendOthers(String wave) throws SQLException {
        for (int i = 0; i < 30; i++) {
            append("other-" + wave + i, "other-" + i, GOOD, 10);
        }
        return types.values().stream()
                .filter(type -> type.startsWith("other-" + wave))
                .toList();
    }

    private void append(String type, String key, String topic, int bytes) throws SQLException {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        String id = EventIds.next();
        Event event = Event.of(type)
                .aggregate("Order", key)
                .payload(Payload.binary(noise, "application/octet-stream"))
                .id(id);
        if (!topic.isEmpty()) {
            event = event.topic(topic);
        }
        types.put(UUID.fromString(id), type);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, event);
            connection.commit();
        }
    }

    /** Types of the events that have arrived in the working topics, in order. */
    List<String> arrived() {
        return types(orders);
    }

    List<String> arrivedAt(Poison poison) {
        try (TopicReader reader = new TopicReader(List.of(topic(poison.topic)))) {
            return types(reader);
        }
    }

    private List<String> types(TopicReader reader) {
        return reader.read().stream()
                .map(message -> types.get(message.eventId()))
                .toList();
    }

    /** Parked and dead events, by type. */
    Map<String, ParkedEvent> parked() {
        Map<String, ParkedEvent> parked = new TreeMap<>();
        admin.parked(ParkedQuery.of(RELAY)).forEach(event -> parked.put(event.type(), event));
        return parked;
    }

    /** Removes the causes of the failures. */
    void mend(Poison poison) {
        if (poison == Poison.MISSING) {
            Topics.make(topic(poison.topic), Map.of());
        } else {
            Topics.forgetRules(topic(poison.topic));
        }
    }

    void requeue(ParkedEvent event) {
        admin.requeue(RELAY, Selection.of(event.eventId()), OPERATOR);
    }

    void discard(ParkedEvent event) {
        admin.discard(RELAY, Selection.of(event.eventId()), OPERATOR);
    }

    @Override
    public String toString() {
        return "parked: " + parked().values() + ", arrived: " + arrived();
    }
}
