package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** Published batches of a backlog, which are settled while the cycle goes on. The test settles them by hand. */
class RelayCycleBehindTest {
    private final AnsweredByHand byHand = new AnsweredByHand();
    private final Deque<Runnable> toSettle = new ArrayDeque<>();
    private final CycleScene scene =
            new CycleScene(byHand).batchesOf(2).inFlight(3, 1_000_000).settling(toSettle::add);

    @Test
    void the_next_batches_are_sent_while_one_is_settled() {
        scene.append("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4");
        scene.turn();
        byHand.sent(0).deliver();
        scene.turn();

        assertThat(toSettle).hasSize(1);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "a2", "b2");
        assertThat(scene.settled()).as("settled before the store has done so").isEmpty();
        int answers = scene.answersArrived();

        toSettle.remove().run();

        assertThat(scene.answersArrived()).as("woken").isEqualTo(answers + 1);
        scene.turn();
        assertThat(scene.settledNames()).containsExactly("a1", "b1");
    }

    @Test
    void a_batch_that_is_being_settled_is_still_in_flight() {
        scene.append("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5");
        scene.turn();
        byHand.sent(0).deliver();

        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "a2", "b2", "a3", "b3");

        toSettle.remove().run();
        scene.run();
        assertThat(byHand.sentNames()).endsWith("a4", "b4");
    }

    @Test
    void events_with_other_outcomes_are_settled_after_those_behind() {
        scene.append("a1", "b1", "a2", "b2", "a3", "b3");
        scene.turn();
        byHand.sent(0).deliver();
        scene.turn();
        byHand.sent(1).answer(new Delivery.Retry("not now"), Delivery.DELIVERED);
        Thread settling = new Thread(scene::turn, "settling");
        settling.start();
        while (settling.getState() != Thread.State.WAITING && settling.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(scene.settled()).isEmpty();

        toSettle.remove().run();
        join(settling);

        assertThat(scene.settledNames()).startsWith("a1", "b1", "a2", "b2");
        assertThat(scene.lastSettlementOf("a2")).isInstanceOf(Settlement.RetryAt.class);
    }

    @Test
    void what_settling_has_thrown_is_thrown_by_the_cycle_and_its_events_come_again() {
        scene.append("a1", "b1", "a2", "b2", "a3", "b3");
        scene.turn();
        byHand.sent(0).deliver();
        scene.turn();
        scene.outbox().store().open(CycleScene.RELAY, new OwnerId("one"), Duration.ofMinutes(1));
        toSettle.remove().run();

        assertThatThrownBy(scene::turn).isInstanceOf(LeaseLostException.class);
        scene.cycle().abandon();

        assertThat(scene.settled()).isEmpty();
        assertThat(scene.repeats()).as("a1, b1, and a2, b2 without an answer").isEqualTo(4);
    }

    @Test
    void what_was_settled_before_a_failure_counts() {
        scene.append("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5");
        scene.turn();
        scene.turn();
        byHand.sent(0).deliver();
        byHand.sent(1).deliver();
        scene.turn();
        toSettle.remove().run();
        scene.outbox().store().open(CycleScene.RELAY, new OwnerId("one"), Duration.ofMinutes(1));
        toSettle.remove().run();

        assertThatThrownBy(scene::turn).isInstanceOf(LeaseLostException.class);
        scene.cycle().abandon();

        assertThat(scene.settledNames()).containsExactly("a1", "b1");
    }

    @Test
    void a_batch_that_was_to_be_settled_next_comes_again_after_a_failure_too() {
        scene.append("a1", "b1", "a2", "b2", "a3", "b3");
        scene.turn();
        byHand.sent(0).deliver();
        scene.turn();
        byHand.sent(1).answer(new Delivery.Retry("not now"), Delivery.DELIVERED);
        scene.outbox().store().open(CycleScene.RELAY, new OwnerId("one"), Duration.ofMinutes(1));
        toSettle.remove().run();

        assertThatThrownBy(scene::turn).isInstanceOf(LeaseLostException.class);
        scene.cycle().abandon();

        assertThat(scene.repeats()).as("a1, b1, b2").isEqualTo(3);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
