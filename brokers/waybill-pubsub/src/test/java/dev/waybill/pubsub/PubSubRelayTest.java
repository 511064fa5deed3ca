package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RetryPolicy;
import dev.waybill.relay.ManualRelay;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.route.Route;
import dev.waybill.tck.Seeds;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From an outbox in memory through the relay's cycle to Pub/Sub, with failures in the middle of a key. */
class PubSubRelayTest {
    private final PubSubServer server = new PubSubServer();
    private final Topics topics = new Topics(server.address());
    private final String topic = topics.create();
    private final PubSubDestination destination = PubSubDestination.of(
            PubSubOptions.of(Topics.PROJECT).emulator(server.address()).deliveryTimeout(Duration.ofSeconds(2)));
    private ManualRelay relay = relay(Route.fixed(topic), RetryPolicy.defaults().retries());

    @AfterEach
    void end() {
        server.faults().releaseAll();
        destination.abort();
        destination.close();
        topics.close();
        server.close();
    }

    private ManualRelay relay(Route route, int retries) {
        return new ManualRelay(
                destination,
                route,
                options -> options.batch(new BatchSize(37, 1_000_000))
                        .inFlight(new InFlight(4, 16_000_000))
                        .retry(new RetryPolicy(retries, Duration.ofMillis(100), 2, Duration.ofSeconds(1))));
    }

    private static Event event(String name) {
        return ManualRelay.event(name, Payload.json(body(name)));
    }

    private static String body(String name) {
        return "\"" + name + "\"";
    }

    private static List<String> bodies(List<String> names) {
        return names.stream().map(PubSubRelayTest::body).toList();
    }

    /** First arrivals of a key's events, in order. */
    private List<String> firsts(String key) {
        Set<String> firsts = new LinkedHashSet<>();
        for (String body : server.log().bodies("projects/" + Topics.PROJECT + "/topics/" + topic)) {
            if (body.matches("\"" + key + "\\d+\"")) {
                firsts.add(body);
            }
        }
        return List.copyOf(firsts);
    }

    @Test
    void a_failure_delays_its_key_which_continues_in_order() throws InterruptedException {
        server.faults().body(body("a5"), 3, Status.FAILED_PRECONDITION);
        List<String> a = Letters.names("a", 12);
        List<String> b = Letters.names("b", 12);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            events.add(event(a.get(i)));
            events.add(event(b.get(i)));
        }
        relay.append(events);
        relay.runUntilAllIsSettled();

        assertThat(firsts("a")).isEqualTo(bodies(a));
        assertThat(firsts("b")).isEqualTo(bodies(b));
        assertThat(relay.dead()).isEmpty();
        assertThat(relay.retries())
                .as("only the key at fault waits, and only its first is counted")
                .isEqualTo(3);
    }

    @Test
    void after_its_last_attempt_an_event_is_dead_and_those_behind_it_arrive_in_order() throws InterruptedException {
        server.faults().body(body("a5"), Faults.ALWAYS, Status.FAILED_PRECONDITION);
        relay = relay(Route.fixed(topic), 1);
        List<String> a = new ArrayList<>(Letters.names("a", 12));
        // One by one, as they would share the fate of the request they are in otherwise.
        for (String name : a) {
            relay.append(List.of(event(name)));
            relay.runUntilAllIsSettled();
        }
        a.remove("a5");
        assertThat(firsts("a")).isEqualTo(bodies(a));
        assertThat(relay.dead()).containsOnlyKeys("a5");
    }

    @Test
    void poison_oversized_unroutable_and_forbidden_events_affect_no_others() throws InterruptedException {
        String missing = Topics.unused();
        String forbidden = topics.create();
        server.faults().topic(forbidden, Faults.ALWAYS, Status.PERMISSION_DENIED);
        server.faults().body(body("a4"), Faults.ALWAYS, Status.INVALID_ARGUMENT);
        // With no retries, so that an event which is counted for another's fault would be dead too.
        relay = relay(Route.byType(), 0);
        List<Event> events = new ArrayList<>();
        for (String name : Letters.names("a", 15)) {
            events.add(
                    switch (name) {
                        case "a6" ->
                            ManualRelay.event(
                                    topic, name, Payload.binary(new byte[10_000_001], "application/octet-stream"));
                        case "a8" -> ManualRelay.event(missing, name, Payload.json(body(name)));
                        case "a10" -> ManualRelay.event(forbidden, name, Payload.json(body(name)));
                        default -> ManualRelay.event(topic, name, Payload.json(body(name)));
                    });
            events.add(ManualRelay.event(topic, "b" + name.substring(1), Payload.json(body("b" + name.substring(1)))));
        }
        relay.append(events);
        relay.runUntilAllIsSettled();

        assertThat(relay.dead()).containsOnlyKeys("a4", "a6", "a8", "a10");
        assertThat(relay.dead().get("a4")).contains(topic, "INVALID_ARGUMENT");
        assertThat(relay.dead().get("a6")).contains("10000", "at most 9999000");
        assertThat(relay.dead().get("a8")).contains(missing, "does not exist");
        assertThat(relay.dead().get("a10")).contains(forbidden, "is forbidden");
        assertThat(firsts("a"))
                .isEqualTo(bodies(List.of("a1", "a2", "a3", "a5", "a7", "a9", "a11", "a12", "a13", "a14", "a15")));
        assertThat(firsts("b")).isEqualTo(bodies(Letters.names("b", 15)));
        assertThat(relay.retries()).isZero();
    }

    @Test
    void during_an_outage_no_attempt_is_counted_and_order_is_kept() throws InterruptedException {
        relay = relay(Route.fixed(topic), 0);
        relay.append(List.of(event("a1"), event("b1")));
        relay.runUntilAllIsSettled();
        server.stop();
        List<Event> events = new ArrayList<>();
        for (int i = 2; i <= 100; i++) {
            events.add(event("a" + i));
            events.add(event("b" + i));
        }
        relay.append(events);
        while (relay.timesAway() < 2) {
            relay.turn();
        }
        server.restart();
        relay.runUntilAllIsSettled();

        assertThat(firsts("a")).isEqualTo(bodies(Letters.names("a", 100)));
        assertThat(firsts("b")).isEqualTo(bodies(Letters.names("b", 100)));
        assertThat(relay.dead()).isEmpty();
        assertThat(relay.retries()).isZero();
    }

    @Test
    void a_key_that_alone_is_unavailable_ends_up_waiting_alone() throws InterruptedException {
        Faults.Fault fault = server.faults().key("a", Faults.ALWAYS, Status.UNAVAILABLE);
        relay = relay(Route.fixed(topic), 1000);
        List<Event> events = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            events.add(event("a" + i));
            events.add(event("b" + i));
        }
        relay.append(events);
        while (relay.retriesOf("a1") < 2) {
            relay.turn();
        }
        relay.append(List.of(event("c1")));
        while (!firsts("c").equals(bodies(List.of("c1")))) {
            relay.turn();
        }
        fault.mend();
        relay.runUntilAllIsSettled();

        assertThat(firsts("a")).isEqualTo(bodies(Letters.names("a", 20)));
        assertThat(firsts("b")).isEqualTo(bodies(Letters.names("b", 20)));
        assertThat(relay.timesAway()).as("the first time it cannot be told").isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatever_fails_for_a_while_each_key_arrives_in_order(long seed) throws InterruptedException {
        Random random = new Random(seed);
        Set<String> keys = new TreeSet<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            String key = "k" + (char) ('a' + random.nextInt(20));
            keys.add(key);
            int number = (int) names.stream()
                            .filter(name -> Letters.keyOf(name).equals(key))
                            .count()
                    + 1;
            names.add(key + number);
        }
        for (int i = 0; i < 60; i++) {
            breakSomething(random, names.get(random.nextInt(names.size())));
        }
        for (int from = 0; from < names.size(); from += 50) {
            relay.append(names.subList(from, from + 50).stream()
                    .map(PubSubRelayTest::event)
                    .toList());
            relay.turn();
        }
        relay.runUntilAllIsSettled();

        assertThat(relay.dead()).isEmpty();
        for (String key : keys) {
            long count = names.stream()
                    .filter(name -> Letters.keyOf(name).equals(key))
                    .count();
            assertThat(firsts(key)).isEqualTo(bodies(Letters.names(key, (int) count)));
        }
    }

    private void breakSomething(Random random, String name) {
        int times = 1 + random.nextInt(3);
        switch (random.nextInt(3)) {
            case 0 -> server.faults().body(body(name), times, Status.FAILED_PRECONDITION);
            case 1 -> server.faults().body(body(name), times, Status.UNAVAILABLE);
            default -> server.faults().acknowledgement(Letters.keyOf(name), times, Status.DEADLINE_EXCEEDED);
        }
    }

    static LongStream seeds() {
        return Seeds.all();
    }
}
