package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Undeliverable events wait or become dead with their reason; others are delivered meanwhile. */
class PoisonTest {
    /** Refused permanently; the others may succeed later. */
    private static final Set<Poison> REFUSED = EnumSet.of(Poison.LARGE, Poison.UNROUTABLE, Poison.FORBIDDEN);

    private static final Set<Poison> RETRIED = EnumSet.complementOf(EnumSet.copyOf(REFUSED));
    /** Longer than the trial, so that events still wait for their retry when it ends. */
    private static final RetryPolicy SOME_DAY = new RetryPolicy(9, Duration.ofHours(1), 1, Duration.ofHours(1));

    @Test
    void a_dead_event_lets_its_key_pass_and_a_waiting_one_goes_through_when_the_cause_is_mended() throws Exception {
        try (Trial trial = Trial.begin("poison-pass")) {
            PoisonScene scene = new PoisonScene(trial, RelayOptions.defaults().retry(SOME_DAY));
            poison(trial, scene, RETRIED);

            for (Poison poison : REFUSED) {
                assertThat(scene.arrived()).contains(poison.follower());
                assertParked(scene, poison, ParkedState.DEAD, poison == Poison.UNROUTABLE ? 0 : 1);
                assertThat(scene.parked().get(poison.name()).holdsKey()).isFalse();
            }
            for (Poison poison : RETRIED) {
                assertThat(scene.arrived()).doesNotContain(poison.follower());
                assertParked(scene, poison, ParkedState.DUE, 1);
                scene.mend(poison);
                requeueUntilDelivered(scene, poison);
                Await.until(
                        () -> poison + "; " + scene,
                        () -> scene.arrivedAt(poison).equals(List.of(poison.name())));
            }
            Await.until("only the dead", () -> scene.parked().keySet().equals(names(REFUSED)));
        }
    }

    @Test
    void a_dead_event_holds_its_key_until_a_person_decides() throws Exception {
        try (Trial trial = Trial.begin("poison-hold")) {
            PoisonScene scene = new PoisonScene(
                    trial, RelayOptions.defaults().retry(SOME_DAY).onDead(OnDead.HOLD));
            poison(trial, scene, EnumSet.allOf(Poison.class));

            for (Poison poison : REFUSED) {
                assertThat(scene.parked().get(poison.name()).holdsKey()).isTrue();
            }
            for (Poison poison : List.of(Poison.LARGE, Poison.UNROUTABLE)) {
                scene.discard(scene.parked().get(poison.name()));
                awaitArrival(scene, poison.follower());
            }
            for (Poison poison : List.of(Poison.FORBIDDEN, Poison.HIDDEN, Poison.MISSING)) {
                assertThat(scene.arrived()).doesNotContain(poison.follower());
                scene.mend(poison);
                requeueUntilDelivered(scene, poison);
                Await.until(
                        () -> poison + "; " + scene,
                        () -> scene.arrivedAt(poison).equals(List.of(poison.name())));
            }
            Await.until("nothing parked", () -> scene.parked().isEmpty());
        }
    }

    @Test
    void an_event_is_dead_after_its_last_attempt_and_its_key_goes_on() throws Exception {
        try (Trial trial = Trial.begin("poison-last")) {
            RetryPolicy twice = new RetryPolicy(2, Duration.ofMillis(100), 2, Duration.ofSeconds(1));
            PoisonScene scene = new PoisonScene(trial, RelayOptions.defaults().retry(twice));
            poison(trial, scene, Set.of());

            for (Poison poison : RETRIED) {
                assertParked(scene, poison, ParkedState.DEAD, 3);
                awaitArrival(scene, poison.follower());
            }
        }
    }

    /**
     * Appends poison events and others, and waits until all poison events are parked, some with followers, and the
     * others have arrived; then appends more, which arrive while the poison events are still parked.
     */
    private static void poison(Trial trial, PoisonScene scene, Set<Poison> holding) throws Exception {
        scene.appendPoison();
        List<String> others = new ArrayList<>(scene.appendOthers("first-"));
        Set<String> expected = new TreeSet<>(names(EnumSet.allOf(Poison.class)));
        holding.forEach(poison -> expected.add(poison.follower()));
        Await.until(
                () -> "all poison to be parked; " + scene,
                () -> scene.parked().keySet().equals(expected));
        trial.say("parked: " + expected);
        others.addAll(scene.appendOthers("second-"));
        Await.until("all others", () -> scene.arrived().containsAll(others));
        assertThat(scene.parked().keySet()).isEqualTo(expected);
        for (Poison poison : Poison.values()) {
            ParkedEvent event = scene.parked().get(poison.name());
            assertThat(event.error())
                    .hasValueSatisfying(error -> assertThat(error).contains(poison.reason));
            assertThat(scene.arrived()).contains("before-" + poison);
        }
        for (Poison poison : holding) {
            assertThat(scene.parked().get(poison.follower()).state()).isEqualTo(ParkedState.WAITING);
        }
    }

    private static Set<String> names(Set<Poison> poisons) {
        Set<String> names = new TreeSet<>();
        poisons.forEach(poison -> names.add(poison.name()));
        return names;
    }

    private static void assertParked(PoisonScene scene, Poison poison, ParkedState state, int attempts) {
        ParkedEvent event = scene.parked().get(poison.name());
        assertThat(event.state()).as(poison.name()).isEqualTo(state);
        assertThat(event.attempts()).as(poison.name()).isEqualTo(attempts);
    }

    /** Requeues repeatedly, because Kafka may need a moment to apply the repairs. */
    private static void requeueUntilDelivered(PoisonScene scene, Poison poison) throws Exception {
        Await.until(poison.follower(), () -> {
            ParkedEvent failed = scene.parked().get(poison.name());
            if (failed != null && failed.attempts() > 0) {
                scene.requeue(failed);
            }
            return scene.arrived().contains(poison.follower());
        });
    }

    private static void awaitArrival(PoisonScene scene, String type) throws Exception {
        Await.until(type, () -> scene.arrived().contains(type));
    }
}
