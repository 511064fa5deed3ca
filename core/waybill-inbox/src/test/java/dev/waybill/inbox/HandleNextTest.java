package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.Incoming.EntityVersion;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.SourceException;
import dev.waybill.tck.memory.InMemoryInbox;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandleNextTest {
    private Scene scene;

    @Test
    void every_event_is_handled_once_and_acknowledged() {
        scene = new Scene(plan -> plan.on("placed", this::note));
        scene.send("e1", "a", "one");
        scene.send("e2", "b", "two");
        scene.send("e1", "a", "one");

        scene.run();

        assertThat(scene.effects).containsExactlyInAnyOrder("one", "two");
        assertThat(scene.topic.acknowledged()).isEqualTo(3);
        assertThat(scene.statistics.handled()).isEqualTo(2);
        assertThat(scene.statistics.duplicates()).isEqualTo(1);
    }

    @Test
    void an_event_without_a_handler_is_skipped() {
        scene = new Scene(plan -> plan.on("placed", this::note));
        scene.send("e1", "a", "cancelled", "one");

        scene.run();

        assertThat(scene.topic.acknowledged()).isEqualTo(1);
        assertThat(scene.statistics.passedOver()).isEqualTo(1);
    }

    @Test
    void the_size_of_held_messages_is_limited() {
        AtomicBoolean broken = new AtomicBoolean(true);
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
                    if (broken.get()) {
                        throw new DependencyUnavailableException("the archive");
                    }
                    note(transaction, event);
                })
                .options(ConsumerOptions.defaults().heldBytes(100_000)));
        for (int i = 0; i < 10; i++) {
            scene.send("e" + i, "k" + i, "x".repeat(60_000));
            scene.receiving.runOnce(Duration.ZERO);
        }
        assertThat(scene.queues.held()).isEqualTo(2);
        assertThat(scene.queues.heldBytes()).isBetween(120_000L, 121_000L);

        scene.run();
        assertThat(scene.effects).isEmpty();
        broken.set(false);
        for (int i = 0; i < 10; i++) {
            scene.clock.advance(Duration.ofSeconds(10));
            scene.run();
        }
        assertThat(scene.effects).hasSize(10);
        assertThat(scene.queues.heldBytes()).isZero();

        scene.send("late", "k", "x");
        scene.receiving.runOnce(Duration.ZERO);
        scene.queues.forget(held -> true);
        assertThat(scene.queues.heldBytes()).isZero();
    }

    @Test
    void a_failing_event_holds_its_key_and_no_other() {
        AtomicInteger failures = new AtomicInteger(2);
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (event.id().equals("e1") && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
            }
            note(transaction, event);
        }));
        scene.send("e1", "a", "a1");
        scene.send("e2", "a", "a2");
        scene.send("e3", "b", "b1");

        scene.run();
        assertThat(scene.effects).containsExactly("b1");
        assertThat(scene.topic.acknowledged()).isEqualTo(1);
        scene.clock.advance(Duration.ofSeconds(1));
        scene.run();
        assertThat(scene.effects).containsExactly("b1");
        scene.clock.advance(Duration.ofSeconds(1));
        scene.run();
        assertThat(scene.effects).as("its second wait is twice as long").containsExactly("b1");
        scene.clock.advance(Duration.ofSeconds(1));
        scene.run();

        assertThat(scene.effects).containsExactly("b1", "a1", "a2");
        assertThat(scene.topic.acknowledged()).isEqualTo(3);
        assertThat(scene.statistics.dead()).isZero();
    }

    @Test
    void while_the_database_is_unavailable_nothing_is_acknowledged_counted_or_lost() {
        scene = new Scene(plan -> plan.on("placed", this::note));
        scene.send("e1", "a", "one");
        scene.send("e2", "b", "two");
        scene.transactions.away = true;

        scene.runFor(Duration.ofSeconds(100));
        assertThat(scene.topic.acknowledged()).isZero();
        assertThat(scene.statistics.failures()).isZero();
        scene.transactions.away = false;
        scene.runFor(Duration.ofSeconds(5));

        assertThat(scene.effects).containsExactlyInAnyOrder("one", "two");
        assertThat(scene.topic.acknowledged()).isEqualTo(2);
        assertThat(scene.transactions.calls).as("it backs off").isLessThan(40);
    }

    @Test
    void stale_versions_are_skipped_and_gaps_are_counted() {
        scene = new Scene(plan -> plan.on("placed", this::note)
                .onlyNewer(event -> Optional.of(new EntityVersion("Order:1", Long.parseLong(event.dataText())))));
        scene.send("e1", "a", "1");
        scene.send("e2", "a", "3");
        scene.send("e3", "a", "2");

        scene.run();

        assertThat(scene.effects).containsExactly("1", "3");
        assertThat(scene.statistics.gaps()).isEqualTo(1);
        assertThat(scene.statistics.stale()).isEqualTo(1);
        assertThat(scene.topic.acknowledged()).isEqualTo(3);
    }

    @Test
    void events_that_may_share_a_transaction_do() {
        scene = new Scene(plan -> plan.inBatches("placed", this::note));
        for (int i = 0; i < 250; i++) {
            scene.send("e" + i, "k" + i % 7, "k" + i % 7 + "#" + i);
        }

        scene.run();

        assertThat(scene.statistics.handled()).isEqualTo(250);
        assertThat(scene.statistics.commits()).isEqualTo(3);
        for (int key = 0; key < 7; key++) {
            String prefix = "k" + key + "#";
            assertThat(scene.effects.stream()
                            .filter(effect -> effect.startsWith(prefix))
                            .map(effect -> Integer.valueOf(effect.substring(prefix.length()))))
                    .isSorted()
                    .isNotEmpty();
        }
    }

    @Test
    void when_one_of_a_batch_fails_the_others_are_handled_one_by_one_and_keep_their_order() {
        scene = new Scene(plan -> plan.inBatches("placed", (transaction, event) -> {
            if (event.id().equals("e3")) {
                throw new PermanentFailureException("bad");
            }
            note(transaction, event);
        }));
        for (int i = 0; i < 10; i++) {
            scene.send("e" + i, "k" + i % 2, "" + i);
        }

        scene.run();

        assertThat(scene.effects).containsExactlyInAnyOrder("0", "1", "2", "4", "5", "6", "7", "8", "9");
        assertThat(scene.effects.stream().filter(n -> Integer.parseInt(n) % 2 == 1))
                .containsExactly("1", "5", "7", "9");
        assertThat(scene.topic.acknowledged()).isEqualTo(10);
        assertThat(scene.statistics.dead()).isEqualTo(1);
    }

    @Test
    void by_default_events_do_not_share_a_transaction() {
        scene = new Scene(plan -> plan.inBatches("placed", this::note).on("mailed", this::note));
        scene.send("e1", "a", "mailed", "1");
        scene.send("e2", "b", "placed", "2");
        scene.send("e3", "c", "mailed", "3");
        scene.send("e4", "d", "placed", "4");

        scene.run();

        assertThat(scene.statistics.handled()).isEqualTo(4);
        assertThat(scene.statistics.commits()).isEqualTo(4);
    }

    @Test
    void after_a_failure_of_the_broker_no_effect_happens_twice() {
        scene = new Scene(plan -> plan.on("placed", this::note));
        scene.send("e1", "a", "one");
        scene.receiving.runOnce(Duration.ZERO);
        scene.handling.runOnce();
        scene.topic.fail("gone");
        assertThatExceptionOfType(SourceException.class).isThrownBy(() -> scene.receiving.runOnce(Duration.ZERO));
        scene.topic.recover();

        scene.run();

        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.statistics.duplicates()).isEqualTo(1);
        assertThat(scene.topic.acknowledged()).isEqualTo(1);
    }

    private void note(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
        scene.note(transaction, event);
    }
}
