package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.StoreException;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several processes run the same relay, and one of them works. */
@Timeout(120)
class RelayTakeoverTest {
    private final RelayScene scene = new RelayScene();
    private final FaultyStore otherStore = new FaultyStore(scene.outbox().store());
    private final CountDownLatch thawed = new CountDownLatch(1);

    @AfterEach
    void end() {
        thawed.countDown();
        otherStore.mend();
        scene.close();
    }

    @Test
    void one_works_and_the_other_stands_by_and_takes_over_when_it_is_closed() {
        Relay first = scene.start();
        RelayScene.until(Phase.RUNNING, first);
        Relay second = scene.start(other(RelayScene.LEASE));
        RelayScene.until(Phase.STANDING_BY, second);
        assertThat(second.statistics().state().problem()).contains("another process holds the lease");
        scene.append("a1");
        scene.untilDelivered("a1");
        scene.untilSettled();
        assertThat(otherStore.calls(Call.CLAIM)).isZero();

        first.close();
        RelayScene.until(Phase.RUNNING, second);
        scene.append("a2");
        scene.untilDelivered("a2");
        assertThat(scene.delivered()).containsExactly("a1", "a2");
    }

    /** Like SIGSTOP: the first process neither renews nor notices that its lease has expired. */
    @Test
    void a_standby_takes_over_from_a_hanging_relay_after_its_lease() {
        otherStore.before(Call.SETTLE, this::hang);
        otherStore.before(Call.RENEW, this::hang);
        Relay hanging = scene.start(other(RelayScene.SHORT_LEASE));
        scene.append("a1", "a2");
        Await.until("the first hangs", () -> otherStore.calls(Call.SETTLE) == 1);
        scene.append("a3");
        Relay second = scene.start();
        scene.untilDelivered("a3");
        scene.untilSettled();

        thawed.countDown();
        RelayScene.until(Phase.STANDING_BY, hanging);
        scene.append("a4");
        scene.untilDelivered("a4");
        assertThat(scene.firstDeliveries()).containsExactly("a1", "a2", "a3", "a4");
        Await.until("the second settled all", () -> second.statistics().published() >= 4);
        assertThat(hanging.statistics().published())
                .as("its settlement was refused")
                .isZero();
    }

    @Test
    void a_store_that_does_not_answer_does_not_keep_the_destination_from_being_stopped_in_time() {
        scene.broker().holdAcknowledgements();
        scene.start(options -> options.lease(RelayScene.SHORT_LEASE));
        scene.append("a1");
        Await.until("a1 is out", () -> scene.broker().inFlight() == 1);
        scene.store().before(Call.RENEW, this::hang);
        scene.store().before(Call.CLAIM, this::hang);
        scene.store().before(Call.SETTLE, this::hang);
        scene.store().before(Call.CLOSE, this::hang);

        Await.until("messages in flight are aborted", () -> scene.broker().inFlight() == 0);
    }

    @Test
    void a_lease_that_cannot_be_renewed_ends_the_session_and_another_is_opened() {
        Relay relay = scene.start(options -> options.lease(RelayScene.SHORT_LEASE));
        RelayScene.until(Phase.RUNNING, relay);
        scene.store().before(Call.RENEW, () -> {
            throw new StoreException("no route to the store");
        });
        Await.until("another session", () -> relay.statistics().sessions() >= 2);
        scene.store().mend();
        scene.append("a1");
        scene.untilDelivered("a1");
    }

    @Test
    void a_lease_is_kept_as_long_as_it_is_renewed() {
        Relay relay = scene.start(options -> options.lease(RelayScene.LEASE));
        RelayScene.until(Phase.RUNNING, relay);
        Await.until("longer than the lease", () -> scene.store().calls(Call.RENEW) >= 5);

        assertThat(relay.statistics().sessions()).isEqualTo(1);
    }

    /** Each attempt of a standby is a query to the store. */
    @Test
    void appends_do_not_make_a_standby_ask_for_the_lease_more_often() {
        Relay first = scene.start();
        RelayScene.until(Phase.RUNNING, first);
        long begin = System.nanoTime();
        Relay second = scene.start(other(RelayScene.SHORT_LEASE));
        while (otherStore.calls(Call.OPEN) < 4) {
            second.wakeUp();
        }
        assertThat(System.nanoTime() - begin)
                .as("three waits of one that stands by")
                .isGreaterThanOrEqualTo(
                        3 * LeaseKeeper.standbyInterval(RelayScene.SHORT_LEASE).toNanos());
    }

    private RelayPlan other(Duration lease) {
        return RelayScene.plan(otherStore, new OtherConnection(scene.broker()))
                .options(RelayOptions.defaults().lease(lease));
    }

    private void hang() {
        try {
            thawed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_store_that_takes_most_of_the_lease_to_open_can_be_used() {
        scene.store().before(FaultyStore.Call.OPEN, () -> {
            long until = System.nanoTime() + RelayScene.LEASE.toNanos() * 4 / 5;
            Await.until("most of the lease has passed", () -> System.nanoTime() - until > 0);
        });
        scene.append("a1");
        scene.start(options -> options.lease(RelayScene.LEASE));

        scene.untilDelivered("a1");
    }
}
