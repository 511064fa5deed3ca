package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.format.Formatted;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One short run of a relay, determined by the seed; then everything is drained and checked. */
final class RandomRun {
    private static final int MOST_ROUNDS = 2_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Random random;
    private final KeyOrder order;
    private final OnDead onDead;
    private final int retries;
    private final boolean countOutages;
    private final int keys;
    private final RandomBroker broker;
    private final CycleScene scene;
    private final Map<String, List<String>> appendedByKey = new LinkedHashMap<>();
    private final Set<String> unroutable = new HashSet<>();

    RandomRun(long seed) {
        random = new Random(seed);
        order = List.of(KeyOrder.values()).get(random.nextInt(2));
        onDead = random.nextInt(3) == 0 ? OnDead.HOLD : OnDead.PASS;
        retries = random.nextInt(4);
        countOutages = random.nextInt(3) == 0;
        keys = 1 + random.nextInt(4);
        broker = new RandomBroker(random, order);
        broker.failPercent(random.nextInt(40));
        if (countOutages) {
            broker.countOutages();
        }
        RetryPolicy policy = new RetryPolicy(retries, Duration.ofSeconds(1), 2, LONGEST_WAIT);
        scene = new CycleScene(broker)
                .batchesOf(1 + random.nextInt(5))
                .inFlight(1 + random.nextInt(5), 1_000_000)
                .onDead(onDead)
                .route(exceptUnroutable())
                .plan(plan -> plan.format(RandomRun::withAttempts))
                .options(options -> options.retry(policy).countOutages(countOutages));
    }

    void live() {
        for (int i = 30 + random.nextInt(200); i > 0; i--) {
            act(random.nextInt(100));
        }
    }

    private void act(int dice) {
        if (dice < 15) {
            append();
        } else if (dice < 50) {
            scene.turn();
        } else if (dice < 75) {
            broker.step();
        } else if (dice < 88) {
            broker.answer();
        } else if (dice < 94) {
            scene.pass(Duration.ofMillis(random.nextInt(4_000)));
        } else if (dice < 96) {
            broker.goAway();
        } else if (dice < 98) {
            scene.crash();
            broker.relayCrashed();
        } else {
            stop();
        }
    }

    private void append() {
        List<String> names = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String key = String.valueOf((char) ('a' + random.nextInt(keys)));
            List<String> ofKey = appendedByKey.computeIfAbsent(key, k -> new ArrayList<>());
            String name = key + (ofKey.size() + 1);
            ofKey.add(name);
            names.add(name);
            int fate = random.nextInt(40);
            if (fate == 0) {
                broker.refuse(name);
            } else if (fate == 1) {
                unroutable.add(name);
            }
        }
        scene.append(names.toArray(String[]::new));
    }

    private void stop() {
        for (int round = 0; !scene.cycle().finish(); round++) {
            assertThat(round).as("rounds until the relay has stopped").isLessThan(MOST_ROUNDS);
            broker.step();
            broker.answer();
            if (random.nextInt(20) == 0) {
                broker.abort();
            }
        }
        scene.close();
    }

    void drainAndJudge() {
        broker.failPercent(0);
        drain();
        List<String> dead = scene.dead();
        dead.forEach(this::checkDeath);
        if (onDead == OnDead.HOLD) {
            dead = requeueAll();
        }
        assertThat(scene.status().backlog()).as("not settled").isZero();
        assertThat(scene.parked()).extracting(ParkedEvent::eventId).as("parked").containsExactlyElementsOf(dead);
        judgeOrder(new HashSet<>(dead));
    }

    /** Runs until nothing is in flight and nothing is due, now or later. */
    private void drain() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            CycleResult turn = scene.run();
            if (turn instanceof CycleResult.Idle
                    && broker.isIdle()
                    && scene.parked().stream().noneMatch(parked -> parked.state() == ParkedState.DUE)) {
                return;
            }
            broker.finish();
            scene.pass(LONGEST_WAIT);
        }
        throw new AssertionError("Not drained after " + MOST_ROUNDS + " rounds; parked are " + scene.parked());
    }

    private List<String> requeueAll() {
        broker.refuseNothing();
        unroutable.clear();
        for (int round = 0; round < MOST_ROUNDS && !scene.dead().isEmpty(); round++) {
            scene.requeue(scene.dead().toArray(String[]::new));
            drain();
        }
        return scene.dead();
    }

    private void checkDeath(String name) {
        boolean exhausted = broker.failures(name) > retries;
        assertThat(exhausted || broker.refuses(name) || unroutable.contains(name))
                .as("%s is dead after %d of %d retries", name, broker.failures(name), retries)
                .isTrue();
    }

    /** The first arrivals of each key are all of its events that are not dead, in the order they were appended. */
    private void judgeOrder(Set<String> dead) {
        appendedByKey.forEach((key, appended) -> {
            List<String> expected = new ArrayList<>(appended);
            expected.removeAll(dead);
            Set<String> first = new LinkedHashSet<>(broker.arrived());
            first.removeIf(name -> !CycleScene.keyOf(name).equals(key) || dead.contains(name));
            List<String> arrived = List.copyOf(first);
            assertThat(expected).as("lost of key %s", key).allMatch(first::contains);
            for (int i = 0; i < expected.size(); i++) {
                assertThat(arrived.get(i))
                        .as("first arrival %d of key %s", i + 1, key)
                        .isEqualTo(expected.get(i));
            }
            assertThat(arrived).as("arrivals of key %s", key).hasSameSizeAs(expected);
        });
    }

    private static Formatted withAttempts(StoredEvent event) {
        return new Formatted(event.payload(), List.of(new Header("attempts", new byte[] {(byte) event.attempts()})));
    }

    private Route exceptUnroutable() {
        Route byType = Route.byType();
        return event -> {
            if (unroutable.contains(event.id().toString())) {
                throw new RouteException("no topic");
            }
            return byType.addressOf(event);
        };
    }

    @Override
    public String toString() {
        return order + ", " + onDead + ", " + retries + " retries, " + (countOutages ? "outages count, " : "")
                + appendedByKey + "; dead: " + scene.dead() + "; arrived: " + broker.arrived();
    }
}
