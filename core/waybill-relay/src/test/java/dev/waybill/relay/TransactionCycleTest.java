package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RetryPolicy;
import dev.waybill.relay.LedgerBroker.Commit;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.route.Address;
import dev.waybill.route.RouteException;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransactionCycleTest {
    private static final Delivery REFUSED = new Delivery.Refused("never");
    private static final Delivery RETRY = new Delivery.Retry("no such topic");
    private static final Delivery AWAY = new Delivery.Unavailable("away");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TransactionScene scene = new TransactionScene();
    private final WindowsInMemory store = scene.store;
    private final LedgerBroker broker = scene.broker;

    // ---- when a transaction ends

    @Test
    void a_single_event_is_committed_at_once() {
        store.append("a1");
        assertThat(scene.turn()).isEqualTo(CycleResult.WORKED);
        assertThat(broker.committed()).containsExactly("a1");
        assertThat(store.known()).isEqualTo(1);
    }

    @Test
    void pages_of_a_backlog_are_committed_together_up_to_the_largest_size() {
        scene.pagesOf(2).size(4, SECOND);
        store.append("a1", "a2", "a3", "a4", "a5");
        scene.run();
        assertThat(broker.calls()).containsExactly("COMMIT [a1, a2, a3, a4]", "COMMIT [a5]");
    }

    @Test
    void a_transaction_that_has_lingered_is_committed() {
        scene.pagesOf(1).size(1_000, SECOND);
        store.append("a1", "a2", "a3", "a4");
        scene.turn();
        scene.pass(SECOND);
        scene.turn();
        assertThat(broker.calls()).containsExactly("COMMIT [a1, a2]");
    }

    // ---- answers

    @Test
    void a_refused_event_is_dead_before_its_transaction_is_repeated_without_it() {
        store.append("a1", "b1", "a2");
        broker.answer("b1", REFUSED);
        scene.drain();
        assertThat(broker.calls()).containsExactly("ABORT [a1, b1, a2]", "COMMIT [a1, a2]");
        assertThat(store.dead()).containsOnlyKeys("b1");
        assertThat(broker.writers()).isEqualTo(1);
        assertThat(scene.settled).filteredOn(Settlement.Dead.class::isInstance).hasSize(1);
    }

    @Test
    void events_that_failed_because_of_another_are_sent_again() {
        store.append("a1", "b1", "a2");
        broker.answer("a1", Delivery.BEHIND).answer("b1", REFUSED).answer("a2", Delivery.BEHIND);
        scene.drain();
        assertThat(broker.committed()).containsExactly("a1", "a2");
        assertThat(store.dead()).containsOnlyKeys("b1");
    }

    @Test
    void a_transaction_that_failed_without_a_reason_is_not_repeated_at_once() {
        store.append("a1", "b1");
        broker.answer("a1", Delivery.BEHIND).answer("b1", Delivery.BEHIND);
        assertThat(scene.run()).isInstanceOf(CycleResult.Unavailable.class);
        scene.drain();
        assertThat(broker.committed()).containsExactly("a1", "b1");
    }

    @Test
    void a_crash_between_the_dead_row_and_the_commit_neither_loses_nor_repeats() {
        store.append("a1", "b1");
        broker.answer("b1", REFUSED);
        scene.turn();
        assertThat(store.dead()).containsOnlyKeys("b1");
        scene.crash();
        scene.drain();
        assertThat(broker.committed()).containsExactly("a1");
    }

    @Test
    void a_topic_that_is_missing_is_waited_for_by_the_policy_and_its_events_keep_their_order() {
        scene.options(options -> options.retry(RetryPolicy.defaults().retries(3).first(SECOND)));
        store.append("a1", "a2");
        broker.answer("a1", RETRY, RETRY).answer("a2", RETRY, RETRY);
        assertThat(scene.run()).isEqualTo(new CycleResult.Throttled(SECOND));
        scene.pass(SECOND);
        assertThat(scene.run()).isEqualTo(new CycleResult.Throttled(SECOND.multipliedBy(2)));
        scene.drain();
        assertThat(broker.committed()).containsExactly("a1", "a2");
        assertThat(store.dead()).isEmpty();
    }

    @Test
    void after_the_last_attempt_events_of_the_topic_are_dead_and_others_are_committed() {
        scene.options(options -> options.retry(RetryPolicy.defaults().retries(1).first(SECOND)));
        scene.plan(plan -> plan.route(event -> new Address(event.id().toString().substring(0, 1), new byte[0])));
        store.append("a1", "b1");
        broker.answer("a1", RETRY, RETRY).answer("a2", RETRY);
        scene.drain();
        assertThat(store.dead()).containsOnlyKeys("a1");
        store.append("b2", "a2");
        scene.drain();
        assertThat(store.dead()).as("at once, while the topic is missing").containsOnlyKeys("a1", "a2");
        assertThat(broker.committed()).containsExactly("b1", "b2");

        store.append("a3");
        scene.drain();
        store.append("a4");
        broker.answer("a4", RETRY);
        scene.drain();
        assertThat(broker.committed()).as("the topic had accepted a message").endsWith("a3", "a4");
    }

    @Test
    void an_unavailable_destination_gives_up_nothing_and_gets_another_writer() {
        store.append("a1", "a2");
        broker.answer("a2", AWAY);
        assertThat(scene.turn()).isEqualTo(new CycleResult.Unavailable("away"));
        scene.drain();
        assertThat(broker.writers()).isEqualTo(2);
        assertThat(broker.committed()).containsExactly("a1", "a2");
        assertThat(store.dead()).isEmpty();
    }

    @Test
    void what_was_refused_is_dead_even_if_the_destination_is_unavailable_for_others() {
        store.append("a1", "b1");
        broker.answer("a1", REFUSED).answer("b1", AWAY);
        scene.turn();
        assertThat(store.dead()).containsOnlyKeys("a1");
        scene.drain();
        assertThat(broker.committed()).containsExactly("b1");
    }

    // ---- commits

    @Test
    void a_commit_that_failed_is_repeated_and_one_whose_answer_was_lost_is_not() {
        store.append("a1");
        broker.commit(Commit.FAILS, Commit.ANSWER_LOST);
        assertThat(scene.turn()).isInstanceOf(CycleResult.Unavailable.class);
        assertThat(scene.turn()).isInstanceOf(CycleResult.Unavailable.class);
        store.append("a2");
        scene.drain();
        assertThat(broker.writers()).isEqualTo(3);
        assertThat(broker.committed()).containsExactly("a1", "a2");
    }

    @Test
    void without_its_lease_a_process_commits_nothing() {
        broker.hold();
        store.append("a1");
        scene.turn();
        scene.loseLease();
        broker.release();
        assertThat(scene.turn()).isEqualTo(CycleResult.FULL);
        assertThat(scene.cycle().finish()).isTrue();
        assertThat(broker.calls()).isEmpty();
    }

    @Test
    void without_its_lease_a_process_does_not_fence_another() {
        store.loseLease();
        assertThatThrownBy(scene::turn).isInstanceOf(LeaseLostException.class);
        assertThat(broker.writers()).isZero();
    }

    // ---- messages without an answer

    @Test
    void answers_are_not_waited_for_and_wake_the_loop() {
        broker.hold();
        store.append("a1");
        assertThat(scene.turn()).isEqualTo(CycleResult.FULL);
        assertThat(scene.turn()).isEqualTo(CycleResult.FULL);
        scene.pass(SECOND);
        assertThat(scene.cycle().unanswered()).isEqualTo(new Outgoing.Unanswered(1, SECOND));
        int before = scene.answersArrived();
        broker.release();
        assertThat(scene.answersArrived()).isEqualTo(before + 1);
        scene.turn();
        assertThat(broker.committed()).containsExactly("a1");
    }

    @Test
    void messages_that_are_never_answered_are_aborted_and_sent_again_by_another_writer() {
        broker.hold();
        store.append("a1");
        scene.turn();
        scene.cycle().abort("no answer");
        broker.abort();
        assertThat(scene.turn()).isEqualTo(new CycleResult.Unavailable("no answer"));
        scene.drain();
        assertThat(broker.committed()).containsExactly("a1");
        assertThat(broker.writers()).isEqualTo(2);
    }

    @Test
    void a_stop_waits_for_answers_and_then_commits() {
        broker.hold();
        store.append("a1");
        scene.turn();
        assertThat(scene.cycle().finish()).isFalse();
        broker.release();
        assertThat(scene.cycle().finish()).isTrue();
        assertThat(broker.committed()).containsExactly("a1");
        assertThat(store.known()).isEqualTo(1);
    }

    @Test
    void a_stop_that_aborts_leaves_its_events_to_the_next_process() {
        broker.hold();
        store.append("a1");
        scene.turn();
        broker.abort();
        assertThat(scene.cycle().finish()).isTrue();
        assertThat(broker.calls()).isEmpty();
        scene.crash();
        scene.drain();
        assertThat(broker.committed()).containsExactly("a1");
    }

    @Test
    void a_destination_that_gives_too_few_outcomes_commits_nothing() {
        broker.hold();
        store.append("a1", "a2");
        scene.turn();
        // One answer for two messages.
        broker.release();
        assertThat(scene.turn()).isInstanceOf(CycleResult.Unavailable.class);
        assertThat(broker.calls()).isEmpty();
    }

    // ---- dead events

    @Test
    void many_events_that_are_refused_one_by_one_do_not_make_all_others_be_sent_again_each_time() {
        String[] names = IntStream.range(0, 400)
                .mapToObj(i -> (i % 2 == 0 ? "x" : "a") + i)
                .toArray(String[]::new);
        store.append(names);
        broker.refuseInTurn("x");
        scene.pagesOf(100).run();
        assertThat(store.dead()).hasSize(200);
        assertThat(broker.committed()).hasSize(200);
        assertThat(broker.messages()).isLessThan(5 * names.length);

        int before = broker.calls().size();
        store.append(IntStream.range(0, 500).mapToObj(i -> "b" + i).toArray(String[]::new));
        scene.run();
        assertThat(broker.calls().size() - before)
                .as("transactions become larger again")
                .isLessThan(12);
    }

    @Test
    void a_destination_that_is_too_slow_for_a_large_transaction_gets_smaller_ones() {
        scene.size(1_000, SECOND);
        store.append(names("a", 100));
        broker.fits(7);
        scene.drain();
        assertThat(broker.committed()).containsExactly(names("a", 100));
    }

    @Test
    void a_destination_that_takes_long_for_a_commit_gets_smaller_transactions_and_larger_ones_when_it_is_quick_again() {
        scene.size(1_000, SECOND);
        store.append(names("a", 1_000));
        // A tenth of a second for each event.
        broker.beforeCommit(() -> scene.pass(
                Duration.ofMillis(100L * (broker.messages() - broker.committed().size()))));
        scene.turn();
        store.append(names("b", 1_000));
        scene.drain();
        assertThat(commits().get(0)).isEqualTo(1_000);
        assertThat(commits().subList(1, commits().size())).isNotEmpty().allMatch(events -> events <= 200);

        broker.beforeCommit(() -> {});
        store.append(names("c", 1_000));
        scene.drain();
        assertThat(commits()).anyMatch(events -> events > 300);
        assertThat(broker.committed()).hasSize(3_000);
    }

    private static String[] names(String key, int events) {
        return IntStream.range(0, events).mapToObj(i -> key + i).toArray(String[]::new);
    }

    /** How many events each commit had. */
    private List<Integer> commits() {
        return broker.calls().stream().map(call -> call.split(", ").length).toList();
    }

    @Test
    void an_event_without_a_route_is_dead_before_its_transaction_is_repeated_without_it() {
        scene.plan(plan -> plan.route(event -> {
            if (event.id().toString().equals("b1")) {
                throw new RouteException("no route");
            }
            return new Address("topic", new byte[0]);
        }));
        store.append("a1", "b1", "a2");
        scene.drain();
        assertThat(broker.calls()).containsExactly("ABORT [a1, a2]", "COMMIT [a1, a2]");
        assertThat(store.dead().get("b1")).isEqualTo(new Settlement.Dead("no route", false, false));
    }

    @Test
    void an_event_that_holds_its_key_keeps_later_ones_of_the_key_out_of_the_transaction() {
        scene.options(options -> options.onDead(OnDead.HOLD));
        store.append("a1", "b1", "a2");
        broker.answer("a1", REFUSED);
        scene.drain();
        assertThat(broker.committed()).containsExactly("b1");
    }
}
