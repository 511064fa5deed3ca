package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.spi.TransactionConflictException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of events whose transactions lose against others. */
class ConflictTest {
    private boolean loses = true;
    private int calls;
    private Scene scene = scene();

    private Scene scene() {
        return new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (event.id().equals("loser")) {
                calls++;
                if (loses) {
                    throw new TransactionConflictException("the handler went on after a rollback, as it always does");
                }
            }
            scene.note(transaction, event);
        }));
    }

    @Test
    void a_transaction_that_lost_against_another_is_no_failure() {
        scene.transactions.conflicts = 50;
        scene.send("e1", "a", "one");
        scene.runFor(Duration.ofMinutes(5), Duration.ofMillis(20));

        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.statistics.failures()).isZero();
    }

    @Test
    void one_that_lost_now_and_then_is_tried_again_soon_and_told_of_to_nobody() {
        scene.transactions.conflicts = 3;
        scene.send("e1", "a", "one");
        scene.runFor(Duration.ofMillis(200), Duration.ofMillis(20));

        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.errors).isEmpty();
    }

    @Test
    void an_event_that_loses_each_time_is_tried_less_often_and_told_of_but_is_no_dead_letter() {
        scene.send("loser", "k", "one");
        scene.runFor(Duration.ofSeconds(4), Duration.ofMillis(20));
        assertThat(scene.condition.vitals().health().state()).isEqualTo(State.WORKING);
        for (int minute = 0; minute < 10; minute++) {
            scene.send("good" + minute, "good", "good");
            scene.runFor(Duration.ofMinutes(1), Duration.ofMillis(20));
        }

        assertThat(calls).as("at last every five seconds").isBetween(100, 140);
        assertThat(scene.statistics.dead()).isZero();
        assertThat(scene.statistics.failures()).isZero();
        assertThat(scene.effects).hasSize(10);
        ConsumerHealth health = scene.condition.vitals().health();
        assertThat(health.state()).isEqualTo(State.WAITING);
        assertThat(health.reason()).contains("orders@1", "placed", "has lost against others", "times");
        assertThat(scene.errors).hasSizeBetween(30, 70).first().asString().contains("has lost against others 9 times");
        assertThat(scene.errors.get(1)).contains("more conflicts of events that lose again and again");

        loses = false;
        scene.runFor(Duration.ofSeconds(20), Duration.ofMillis(20));
        assertThat(scene.effects).hasSize(11).last().isEqualTo("one");
        assertThat(scene.condition.vitals().health().state()).isEqualTo(State.WORKING);
    }
}
