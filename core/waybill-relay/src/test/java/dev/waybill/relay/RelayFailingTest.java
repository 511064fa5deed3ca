package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.StoreException;
import dev.waybill.testkit.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a relay has been failing, by a clock that the test moves. */
@Timeout(120)
class RelayFailingTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ManualNanos nanos = new ManualNanos();
    private final RelayScene scene = new RelayScene();

    @AfterEach
    void end() {
        scene.close();
    }

    /** If settling fails, a session is opened each time. */
    @ParameterizedTest
    @EnumSource(names = {"OPEN", "CLAIM", "SETTLE"})
    void a_relay_whose_store_fails_each_time_is_failing_until_something_is_settled(Call call) {
        scene.store().before(call, () -> {
            throw new StoreException("the store said no");
        });
        scene.append("a1");
        Relay relay = scene.start(RelayScene.plan(scene.store(), scene.broker()), nanos);
        Await.until("it fails", () -> relay.failingFor().isPresent());
        nanos.advance(LONG);
        int calls = scene.store().calls(call);
        Await.until("it fails again", () -> scene.store().calls(call) >= calls + 2);
        assertThat(relay.failingFor()).contains(LONG);

        scene.store().mend();
        scene.untilDelivered("a1");
        Await.until("it no longer fails", () -> relay.failingFor().isEmpty());
    }

    @Test
    void a_relay_whose_destination_is_unavailable_is_failing() {
        scene.broker().goAway();
        scene.append("a1");
        Relay relay = scene.start(RelayScene.plan(scene.store(), scene.broker()), nanos);
        Await.until("it fails", () -> relay.failingFor().isPresent());
        nanos.advance(LONG);
        assertThat(relay.failingFor()).contains(LONG);

        scene.broker().comeBack();
        Await.until("it no longer fails", () -> relay.failingFor().isEmpty());
    }

    /** A broker's client may keep messages for half a minute before it says that the broker is unavailable. */
    @Test
    void a_relay_is_failing_while_it_waits_for_the_answer_to_another_attempt() {
        AnsweredByHand broker = new AnsweredByHand();
        scene.append("a1");
        Duration longest = Duration.ofMillis(2);
        RelayPlan plan = RelayScene.plan(scene.store(), broker)
                .options(RelayOptions.defaults().poll(new RelayOptions.Poll(Duration.ofMillis(1), longest)));
        Relay relay = scene.start(plan, nanos);
        Await.until("it sends", () -> broker.sent().size() == 1);
        broker.sent(0).answer(new Delivery.Unavailable("away"));
        Await.until("it sends again", () -> broker.sent().size() == 2);
        nanos.advance(LONG);
        int claims = scene.store().calls(Call.CLAIM);
        Await.until(
                "it has looked for work again and again", () -> scene.store().calls(Call.CLAIM) >= claims + 500);
        assertThat(relay.failingFor()).contains(LONG);

        broker.sent(1).deliver();
        Await.until("it no longer fails", () -> relay.failingFor().isEmpty());
    }

    /** Between two attempts the relay is idle for increasing times. */
    @Test
    void a_relay_is_failing_while_all_it_sends_is_in_doubt_until_one_is_delivered() {
        scene.broker().failKey("Thing:a", Integer.MAX_VALUE, new Delivery.InDoubt("no leader"));
        scene.broker().failKey("Thing:b", Integer.MAX_VALUE, new Delivery.InDoubt("no leader"));
        scene.append("a1", "b1");
        Relay relay = scene.start(RelayScene.plan(scene.store(), scene.broker()), nanos);
        Await.until("it fails", () -> relay.failingFor().isPresent());
        Duration passed = Duration.ZERO;
        for (int tries = 0; tries < 3; tries++) {
            nanos.advance(Duration.ofMinutes(1));
            passed = passed.plusMinutes(1);
            long inDoubt = relay.statistics().inDoubt();
            Await.until("both are in doubt again", () -> relay.statistics().inDoubt() >= inDoubt + 2);
            assertThat(relay.failingFor()).contains(passed);
        }

        scene.append("c1");
        scene.untilDelivered("c1");
        Await.until("it no longer fails", () -> relay.failingFor().isEmpty());
    }

    @Test
    void events_in_doubt_that_are_not_retried_do_not_count_as_failing_for_ever() {
        FailureStreak failures = new FailureStreak(nanos);
        failures.doubted();
        nanos.advance(Duration.ofMinutes(1));
        failures.idled();
        assertThat(failures.lasts()).contains(Duration.ofMinutes(1));

        nanos.advance(Duration.ofMinutes(2));
        failures.idled();
        assertThat(failures.lasts()).isEmpty();
    }

    @Test
    void an_idle_relay_is_not_failing() {
        scene.store().before(Call.OPEN, () -> {
            throw new StoreException("the store said no");
        });
        Relay relay = scene.start(RelayScene.plan(scene.store(), scene.broker()), nanos);
        Await.until("it fails", () -> relay.failingFor().isPresent());
        scene.store().mend();
        Await.until("it no longer fails", () -> relay.failingFor().isEmpty());
    }

    @Test
    void relays_that_fail_alternately_are_both_failing() {
        FailureStreak failures = new FailureStreak(nanos);
        for (int turn = 0; turn < 20; turn++) {
            failures.failed();
            nanos.advance(Duration.ofSeconds(10));
            failures.stoodBy();
        }
        assertThat(failures.lasts()).contains(Duration.ofSeconds(200));

        nanos.advance(Duration.ofSeconds(10));
        failures.stoodBy();
        assertThat(failures.lasts()).isEmpty();
    }

    @Test
    void events_in_doubt_still_wait_after_another_failure() {
        FailureStreak failures = new FailureStreak(nanos);
        failures.doubted();
        nanos.advance(Duration.ofSeconds(30));
        failures.failed();
        nanos.advance(Duration.ofSeconds(30));
        failures.idled();
        assertThat(failures.lasts()).contains(Duration.ofMinutes(1));

        nanos.advance(Duration.ofMinutes(2));
        failures.idled();
        assertThat(failures.lasts()).isEmpty();
    }

    @Test
    void only_progress_tells_that_the_destination_was_reached() {
        FailureStreak failures = new FailureStreak(nanos);
        failures.failed();
        failures.doubted();
        failures.idled();
        failures.stoodBy();
        assertThat(failures.lastSuccess()).isEmpty();

        failures.succeeded();
        nanos.advance(Duration.ofSeconds(3));
        failures.failed();
        assertThat(failures.lastSuccess()).contains(Duration.ofSeconds(3));
    }
}
