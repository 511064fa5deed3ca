package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.spi.TransactionConflictException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Events whose transactions fail with conflicts. */
class ConflictTest {
    private boolean loses = true;
    private int calls;
    private Scene scene = scene();

    private Scene scene() {
        return new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (event.id().equals("loser")) {
                calls++;
                if (loses) {
                    throw new TransactionConflictException("the handler continued after a rollback, as it always does");
                }
            }
            scene.note(transaction, event);
        }));
    }

    @Test
    void a_transaction_conflict_is_not_counted_as_an_attempt() {
        scene.transactions.conflicts = 50;
        scene.send("e1", "a", "one");
        scene.runFor(Duration.ofMinutes(5), Duration.ofMillis(20));

        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.statistics.failures()).isZero();
    }

    @Test
    void occasional_conflicts_are_retried_soon_and_not_logged() {
        scene.transactions.conflicts = 3;
        scene.send("e1", "a", "one");
        scene.runFor(Duration.ofMillis(200), Duration.ofMillis(20));

        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.errors).isEmpty();
    }

    @Test
    void repeated_conflicts_are_retried_less_often_and_logged() {
        scene.send("loser", "k", "one");
        scene.runFor(Duration.ofSeconds(4), Duration.ofMillis(20));
        assertThat(scene.shared.problems().health().state()).isEqualTo(State.WORKING);
        for (int minute = 0; minute < 10; minute++) {
            scene.send("good" + minute, "good", "good");
            scene.runFor(Duration.ofMinutes(1), Duration.ofMillis(20));
        }

        assertThat(calls).as("at last every five seconds").isBetween(100, 140);
        assertThat(scene.statistics.dead()).isZero();
        assertThat(scene.statistics.failures()).isZero();
        assertThat(scene.effects).hasSize(10);
        ConsumerHealth health = scene.shared.problems().health();
        assertThat(health.state()).isEqualTo(State.WAITING);
        assertThat(health.reason()).contains("orders@1", "placed", "has failed with conflicts", "times");
        assertThat(scene.errors)
                .hasSizeBetween(30, 70)
                .first()
                .asString()
                .contains("has failed with conflicts 9 times");
        assertThat(scene.errors.get(1)).contains("more repeated transaction conflicts");

        loses = false;
        scene.runFor(Duration.ofSeconds(20), Duration.ofMillis(20));
        assertThat(scene.effects).hasSize(11).last().isEqualTo("one");
        assertThat(scene.shared.problems().health().state()).isEqualTo(State.WORKING);
    }
}
