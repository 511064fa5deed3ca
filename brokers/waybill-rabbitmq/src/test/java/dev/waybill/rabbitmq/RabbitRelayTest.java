package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.relay.Relay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Notifications through a relay to a real RabbitMQ, each test with new queues. */
class RabbitRelayTest {
    @RegisterExtension
    private static final Broker broker = new Broker();

    private final Notifications notifications = new Notifications();

    @AfterEach
    void deleteQueues() {
        broker.bringBack();
        Notifications.deleteFrom(broker);
    }

    @Test
    void events_of_many_keys_reach_their_four_queues_once_each_and_byte_for_byte() throws Exception {
        publishAll(2_000, 400);
    }

    @Test
    @Tag("full")
    void ten_thousand_events_of_two_thousand_keys_reach_their_four_queues_once_each_and_byte_for_byte()
            throws Exception {
        publishAll(10_000, 2_000);
    }

    private void publishAll(int events, int keys) throws Exception {
        notifications.append(events, keys);
        try (RabbitDestination destination = connect(Notifications.TOPOLOGY);
                Relay relay = notifications.start(destination)) {
            Broker.eventually(() -> relay.statistics().published() == events);
        }
        assertThat(notifications.received(broker)).isEqualTo(notifications.sent());
        assertThat(broker.server().control("list_exchanges", "name", "type", "durable", "auto_delete"))
                .contains("notifications.exchange\ttopic\ttrue\tfalse");
        assertThat(broker.server().control("list_queues", "name", "durable", "auto_delete", "arguments", "messages"))
                .contains(
                        "notification.restaurant\ttrue\tfalse\t[]\t" + events / 4,
                        "notification.customer\ttrue\tfalse\t[]\t" + events / 4,
                        "notification.agency\ttrue\tfalse\t[]\t" + events / 4,
                        "notification.admin\ttrue\tfalse\t[]\t" + events / 4);
    }

    @Test
    void an_unknown_kind_of_aggregate_ends_dead_and_the_others_arrive() throws Exception {
        Event unknown =
                Event.of("notification.wanted.v1").aggregate("COURIER", "c1").payload(Payload.json("{}"));
        notifications.append(50, 10);
        notifications.append(List.of(unknown));
        notifications.append(50, 10);
        try (RabbitDestination destination = connect(Notifications.TOPOLOGY);
                Relay relay = notifications.start(destination)) {
            Broker.eventually(() -> relay.statistics().published() == 100);
            Broker.eventually(notifications::isDrained);
        }
        assertThat(notifications.dead()).singleElement().satisfies(dead -> {
            assertThat(dead.eventId()).isEqualTo(unknown.id());
            assertThat(dead.error().orElseThrow()).contains("COURIER");
        });
        assertThat(notifications.received(broker)).isEqualTo(notifications.sent());
    }

    @Test
    void a_broker_killed_midway_and_started_again_loses_nothing_and_keeps_each_keys_order() throws Exception {
        notifications.append(5_000, 2_000);
        try (RabbitDestination destination = connect(Notifications.TOPOLOGY);
                Relay relay = notifications.start(destination)) {
            Broker.eventually(() -> relay.statistics().published() > 0);
            broker.kill();
            notifications.append(5_000, 2_000);
            Broker.eventually(() -> relay.statistics().released() > 0);
            broker.bringBack();
            Broker.eventually(notifications::isDrained);
            assertThat(relay.statistics().retried()).isZero();
            assertThat(relay.statistics().dead()).isZero();
        }
        notifications.assertNothingLostNorOutOfOrder(notifications.received(broker));
    }

    @Test
    void rejected_messages_are_sent_again_in_the_order_of_their_keys() throws Exception {
        notifications.append(4_000, 200);
        Topology full = Notifications.topology(Map.of("x-max-length", 50, "x-overflow", "reject-publish"));
        Map<String, List<String>> received = new LinkedHashMap<>();
        try (RabbitDestination destination = connect(full);
                Relay relay = notifications.start(destination);
                Connection consumer = broker.connect()) {
            Broker.eventually(() -> relay.statistics().retried() > 0);
            var channel = consumer.createChannel();
            Broker.eventually(() -> {
                for (String kind : Notifications.KINDS) {
                    for (int i = 0; i < 30; i++) {
                        GetResponse got = channel.basicGet(Notifications.topicOf(kind), true);
                        if (got != null) {
                            String text = new String(got.getBody(), StandardCharsets.UTF_8);
                            received.computeIfAbsent(Notifications.keyOf(text), key -> new ArrayList<>())
                                    .add(text);
                        }
                    }
                }
                return relay.statistics().published() == 4_000 && received(received) == 4_000;
            });
            assertThat(relay.statistics().dead()).isZero();
        }
        assertThat(received).isEqualTo(notifications.sent());
    }

    private static int received(Map<String, List<String>> received) {
        return received.values().stream().mapToInt(List::size).sum();
    }

    @Test
    void after_a_memory_alarm_publishing_continues_without_duplicates() throws Exception {
        try (RabbitDestination destination = connect(Notifications.TOPOLOGY);
                Relay relay = notifications.start(destination)) {
            notifications.append(200, 20);
            Broker.eventually(() -> relay.statistics().published() == 200);
            broker.server().raiseMemoryAlarm();
            try {
                notifications.append(800, 80);
                notifications.appended.raise();
                Broker.eventually(() -> broker.server().connectionStates().contains("blocked"));
                assertThat(relay.statistics().published()).isLessThan(1_000);
            } finally {
                broker.server().clearMemoryAlarm();
            }
            Broker.eventually(() -> relay.statistics().published() == 1_000);
            assertThat(relay.statistics().released()).isZero();
        }
        assertThat(notifications.received(broker)).isEqualTo(notifications.sent());
    }

    /** Poison is a header that RabbitMQ reads as a list of further routing keys, and this is none. */
    @Test
    void poison_oversized_unroutable_and_forbidden_events_affect_no_others() throws Exception {
        Event poison = Event.of("notification.wanted.v1")
                .aggregate("ADMIN", "poison")
                .payload(Payload.json("{}"))
                .header("CC", "nobody");
        Event oversized = Event.of("notification.wanted.v1")
                .aggregate("ADMIN", "oversized")
                .payload(Payload.json("{\"x\":\"" + "x".repeat(2_000) + "\"}"));
        Event toMissing = Event.of("x").aggregate("AGENCY", "m").payload(Payload.json("{}"));
        Event toForbidden = Event.of("x").aggregate("CUSTOMER", "f").payload(Payload.json("{}"));
        notifications.append(List.of(poison, oversized, toMissing, toForbidden));
        List<Event> good = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            good.add(notifications.event(i % 2 == 0 ? "ADMIN" : "RESTAURANT", "a" + i % 20));
        }
        notifications.append(good);
        RabbitOptions options = options(Notifications.TOPOLOGY)
                .maxMessageBytes(1_500)
                .exchangeByTopic(Map.of(
                        Notifications.topicOf("AGENCY"),
                        "missing.exchange",
                        Notifications.topicOf("CUSTOMER"),
                        Broker.FORBIDDEN_EXCHANGE));
        RetryPolicy twice = new RetryPolicy(2, Duration.ofMillis(20), 1, Duration.ofMillis(20));
        try (RabbitDestination destination = RabbitDestination.of(options);
                Relay relay = notifications.start(destination, twice)) {
            Broker.eventually(() -> relay.statistics().published() == 400 && notifications.isDrained());
        }
        assertThat(notifications.dead())
                .extracting(ParkedEvent::eventId)
                .containsExactlyInAnyOrder(poison.id(), oversized.id(), toMissing.id(), toForbidden.id());
        assertThat(attempts(poison)).isEqualTo(1);
        assertThat(attempts(oversized)).as("it was never sent").isZero();
        assertThat(attempts(toMissing)).isEqualTo(3);
        assertThat(attempts(toForbidden)).isEqualTo(3);
        notifications.assertNothingLostNorOutOfOrder(notifications.received(broker));
    }

    private int attempts(Event event) {
        return notifications.dead().stream()
                .filter(dead -> dead.eventId().equals(event.id()))
                .findAny()
                .orElseThrow()
                .attempts();
    }

    private RabbitDestination connect(Topology topology) {
        return RabbitDestination.of(options(topology));
    }

    private RabbitOptions options(Topology topology) {
        return broker.options().exchange(Notifications.EXCHANGE).topology(topology);
    }
}
