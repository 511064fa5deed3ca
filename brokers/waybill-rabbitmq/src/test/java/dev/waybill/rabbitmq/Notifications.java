package dev.waybill.rabbitmq;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.RetryPolicy;
import dev.waybill.WakeSignal;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.format.Format;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Route;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An outbox of notifications and a relay to RabbitMQ: events of many aggregates, whose payload tells the aggregate and its
 * count in an unusual form, go to one queue for each kind of aggregate.
 */
final class Notifications {
    static final String EXCHANGE = "notifications.exchange";
    static final List<String> KINDS = List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN");
    static final Topology TOPOLOGY = topology(Map.of());

    private static final RelayName RELAY = new RelayName("notifications");
    private static final RetryPolicy SOON = new RetryPolicy(100_000, Duration.ofMillis(5), 1.5, Duration.ofMillis(100));

    final WakeSignal appended = WakeSignal.create();
    private final InMemoryOutbox outbox = new InMemoryOutbox();
    private final Map<String, List<String>> sent = new LinkedHashMap<>();

    /** The next test declares them anew. */
    static void deleteFrom(Broker broker) {
        broker.run(channel -> {
            for (String kind : KINDS) {
                channel.queueDelete(topicOf(kind));
            }
            channel.exchangeDelete(EXCHANGE);
        });
    }

    static Topology topology(Map<String, Object> arguments) {
        Topology topology = Topology.NONE.topicExchange(EXCHANGE);
        for (String kind : KINDS) {
            topology = topology.queue(topicOf(kind), arguments).binding(topicOf(kind), EXCHANGE, topicOf(kind));
        }
        return topology;
    }

    static String topicOf(String kind) {
        return "notification." + kind.toLowerCase(Locale.ROOT);
    }

    /** Count events, one after the other of each of so many keys. */
    void append(int count, int keys) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int key = i % keys;
            events.add(event(KINDS.get(key % KINDS.size()), "a" + key));
        }
        append(events);
    }

    Event event(String kind, String aggregate) {
        List<String> ofKey = sent.computeIfAbsent(kind + ":" + aggregate, key -> new ArrayList<>());
        String payload = "{ \"of\":\"" + kind + ":" + aggregate + "\",\"n\":" + ofKey.size() + ".0e0 }";
        Event event =
                Event.of("notification.wanted.v1").aggregate(kind, aggregate).payload(Payload.json(payload));
        ofKey.add(("{\"event_id\":\"%s\",\"event_type\":\"notification.wanted.v1\",\"aggregate_type\":\"%s\","
                        + "\"aggregate_id\":\"%s\",\"payload\":%s}")
                .formatted(event.id(), kind, aggregate, payload));
        return event;
    }

    void append(List<Event> events) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(transaction, events);
            transaction.commit();
        }
    }

    Relay start(RabbitDestination destination, RetryPolicy retry) {
        return Relay.named(RELAY.value())
                .from(outbox.store())
                .to(destination)
                .route(Route.byAggregateType(KINDS.stream().collect(toMap(kind -> kind, Notifications::topicOf))))
                .format(Format.notification())
                .options(RelayOptions.defaults().retry(retry))
                .wake(appended)
                .start();
    }

    Relay start(RabbitDestination destination) {
        return start(destination, SOON);
    }

    RelayStatus status() {
        return outbox.admin().relays().get(0);
    }

    List<ParkedEvent> dead() {
        return outbox.admin().parked(ParkedQuery.of(RELAY).in(ParkedState.DEAD).atMost(1_000));
    }

    boolean isDrained() {
        return status().backlog() == 0 && status().parked() == 0;
    }

    Map<String, List<String>> sent() {
        return sent;
    }

    /** What lies in the four queues, by key, in order. */
    Map<String, List<String>> received(Broker broker) {
        Map<String, List<String>> received = new LinkedHashMap<>();
        for (String kind : KINDS) {
            for (String text : broker.textsOn(topicOf(kind))) {
                assertThat(text).contains("{ \"of\":\"" + kind + ":");
                received.computeIfAbsent(keyOf(text), key -> new ArrayList<>()).add(text);
            }
        }
        return received;
    }

    static String keyOf(String text) {
        int from = text.indexOf("{ \"of\":\"") + 8;
        return text.substring(from, text.indexOf('"', from));
    }

    /** Nothing is missing, and each key's first deliveries are in order. */
    void assertNothingLostNorOutOfOrder(Map<String, List<String>> received) {
        assertThat(received.keySet()).containsExactlyInAnyOrderElementsOf(sent.keySet());
        sent.forEach((key, texts) -> assertThat(List.copyOf(new LinkedHashSet<>(received.get(key))))
                .as("first deliveries of %s", key)
                .isEqualTo(texts));
    }
}
