package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.tck.memory.InMemoryInbox;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events while a dependency of their handlers is unavailable. */
class AwayTest {
    private final Set<String> calls = new HashSet<>();
    private boolean away = true;
    private int tries;
    private Scene scene = scene();

    private Scene scene() {
        return new Scene(plan -> plan.on("paid", (transaction, event) -> {
                    tries++;
                    calls.add(event.id());
                    if (away) {
                        throw new IllegalStateException("cannot pay", new ConnectException("refused"));
                    }
                    scene.note(transaction, event);
                })
                .on("placed", (transaction, event) -> scene.note(transaction, event)));
    }

    @Test
    void during_an_outage_no_attempt_is_counted_and_other_types_continue() {
        for (int i = 0; i < 20; i++) {
            scene.send("p" + i, "k" + i, "paid", "paid " + i);
        }
        scene.send("after", "k1", "placed", "after");
        scene.send("other", "other", "placed", "other");

        scene.runFor(Duration.ofMinutes(30));
        assertThat(scene.effects).as("of a key in order, of others at once").containsExactly("other");
        assertThat(scene.statistics.failures()).isZero();
        assertThat(scene.deadLetters.delivered()).isEmpty();
        assertThat(tries)
                .as("one is tried every five seconds, and each twice a minute")
                .isLessThan(1_600);
        ConsumerHealth health = scene.shared.problems().health();
        assertThat(health.state()).isEqualTo(State.WAITING);
        assertThat(health.reason()).contains("paid");

        away = false;
        scene.runFor(Duration.ofSeconds(20));
        assertThat(scene.effects).hasSize(22).contains("after").doesNotHaveDuplicates();
        assertThat(scene.shared.problems().health().state()).isEqualTo(State.WORKING);
    }

    @Test
    void a_handler_can_report_an_unavailable_dependency() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (away) {
                throw new DependencyUnavailableException("the warehouse does not answer");
            }
            scene.note(transaction, event);
        }));
        scene.send("e1", "a", "one");
        scene.runFor(Duration.ofMinutes(5));
        assertThat(scene.effects).isEmpty();
        away = false;
        scene.runFor(Duration.ofSeconds(6));
        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.statistics.dead()).isZero();
    }

    @Test
    void a_plan_can_define_exceptions_that_mean_unavailable() {
        scene = new Scene(plan -> plan.unavailableWhen(thrown -> thrown instanceof IOException)
                .on("placed", (transaction, event) -> {
                    if (away) {
                        throw new IllegalStateException("wrapped", new IOException("429"));
                    }
                    scene.note(transaction, event);
                }));
        scene.send("e1", "a", "one");
        scene.runFor(Duration.ofMinutes(5));
        assertThat(scene.statistics.failures()).isZero();
        away = false;
        scene.runFor(Duration.ofSeconds(6));
        assertThat(scene.effects).containsExactly("one");
    }

    @Test
    void an_outage_that_affects_one_event_delays_only_its_key() {
        scene = new Scene(plan -> plan.on("paid", (transaction, event) -> {
            if (event.id().equals("bad")) {
                tries++;
                throw new DependencyUnavailableException("no answer to this one");
            }
            scene.note(transaction, event);
        }));
        scene.send("bad", "a", "paid", "bad");
        scene.runFor(Duration.ofSeconds(1));
        for (int i = 0; i < 100; i++) {
            scene.send("p" + i, "k" + i, "paid", "paid " + i);
            scene.runFor(Duration.ofSeconds(1));
        }
        int most = 8;
        assertThat(scene.effects).as("but for those of its first waits").hasSizeGreaterThan(100 - most);
        assertThat(tries).isLessThan(40);
    }

    @Test
    void unaffected_events_continue_while_many_of_their_type_wait() {
        scene = new Scene(plan -> plan.on("paid", this::pay));
        for (int i = 0; i < 100; i++) {
            scene.send("b" + i, "bad" + i, "paid", "bad " + i);
        }
        scene.runFor(Duration.ofMinutes(1));
        sendHealthy("first");
        scene.runFor(Duration.ofMinutes(1));
        assertThat(scene.effects)
                .as("beside events that are tried for the first time")
                .hasSize(300);

        scene.runFor(Duration.ofMinutes(10));
        sendHealthy("second");
        scene.run();
        assertThat(scene.effects).as("beside events that are known to wait").hasSize(600);
        tries = 0;
        scene.runFor(Duration.ofMinutes(10));
        assertThat(tries)
                .as("one is tried every five seconds, and each twice a minute")
                .isLessThan(2_200);

        away = false;
        scene.runFor(Duration.ofSeconds(10));
        assertThat(scene.effects).hasSize(700).doesNotHaveDuplicates();
    }

    @Test
    void while_nothing_succeeds_waiting_events_are_tried_in_turn() {
        List<String> tried = new ArrayList<>();
        scene = new Scene(plan -> plan.on("paid", (transaction, event) -> {
            tried.add(event.id());
            throw new DependencyUnavailableException("no answer");
        }));
        for (int i = 0; i < 7; i++) {
            scene.send("p" + i, "k" + i, "paid", "paid");
        }
        scene.runFor(Duration.ofMinutes(2));
        tried.clear();
        scene.runFor(Duration.ofMinutes(5));
        assertThat(tried).hasSizeGreaterThan(50);
        for (int i = 0; i + 7 <= tried.size(); i++) {
            assertThat(tried.subList(i, i + 7)).doesNotHaveDuplicates();
        }
    }

    @Test
    void an_event_whose_tenant_is_available_does_not_wait_for_other_tenants() {
        boolean[] back = {false};
        scene = new Scene(plan -> plan.on("paid", (transaction, event) -> {
            if (event.dataText().equals("bad") || !back[0]) {
                throw new DependencyUnavailableException("this tenant does not answer");
            }
            scene.note(transaction, event);
        }));
        sendBad();
        scene.send("one", "one", "paid", "one");
        scene.runFor(Duration.ofHours(1), Duration.ofMillis(200));
        back[0] = true;
        scene.runFor(Waits.DEFAULT.turn().plusSeconds(1));
        assertThat(scene.effects).containsExactly("one");
    }

    @Test
    void an_untried_event_does_not_wait_for_all_earlier_ones() {
        scene = new Scene(plan -> plan.on("paid", this::pay));
        sendBad();
        scene.send("one", "one", "paid", "one");
        scene.runFor(Waits.DEFAULT.turn().plusSeconds(1));
        assertThat(scene.effects).containsExactly("one");
    }

    @Test
    void an_affected_event_does_not_fail_its_batch() {
        scene = new Scene(
                plan -> plan.options(ConsumerOptions.defaults().batch(1_000)).inBatches("paid", this::pay));
        scene.send("b", "bad", "paid", "bad");
        scene.runFor(Duration.ofSeconds(1));
        for (int i = 0; i < 10; i++) {
            sendHealthy("batch " + i);
            scene.runFor(Duration.ofSeconds(5));
        }
        assertThat(scene.effects).hasSize(3_000);
        assertThat(scene.statistics.commits()).isEqualTo(10);
    }

    @Test
    void a_healthy_event_does_not_wait_for_one_behind_it_in_its_batch() {
        scene = new Scene(plan -> plan.options(ConsumerOptions.defaults().batch(10))
                .inBatches("placed", (transaction, event) -> scene.note(transaction, event))
                .inBatches("paid", (transaction, event) -> {
                    throw new DependencyUnavailableException("away");
                }));
        scene.send("first", "first", "paid", "away");
        scene.run();
        for (int i = 0; i < 400; i++) {
            scene.send("h" + i, "k" + i, "placed", "healthy " + i);
            scene.send("a" + i, "k" + i, "paid", "away");
        }
        scene.run();
        assertThat(scene.effects).hasSize(400);
    }

    @Test
    void an_outage_is_not_reported_when_no_event_waits_for_it() {
        scene = new Scene(plan -> plan.on("paid", (transaction, event) -> {
            throw away ? new DependencyUnavailableException("away") : new PermanentFailureException("bad");
        }));
        scene.send("p", "k", "paid", "x");
        scene.runFor(Duration.ofSeconds(5));
        assertThat(state()).isEqualTo(State.WAITING);
        away = false;
        scene.runFor(Duration.ofSeconds(5));
        assertThat(scene.statistics.dead()).isEqualTo(1);
        scene.clock.advance(Duration.ofSeconds(15));
        assertThat(state()).isEqualTo(State.WORKING);
    }

    @Test
    void an_outage_of_the_inbox_is_not_reported_when_it_is_not_used() {
        scene.transactions.away = true;
        scene.send("p", "k", "placed", "x");
        scene.runFor(Duration.ofSeconds(5));
        assertThat(state()).isEqualTo(State.WAITING);
        scene.queues.forget(held -> true);
        scene.clock.advance(Duration.ofSeconds(20));
        assertThat(state()).isEqualTo(State.WORKING);
    }

    /** The handler of events named "bad" finds a dependency unavailable. */
    private void pay(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
        if (away && event.dataText().startsWith("bad")) {
            tries++;
            throw new DependencyUnavailableException("this tenant does not answer");
        }
        scene.note(transaction, event);
    }

    private void sendBad() {
        for (int i = 0; i < 300; i++) {
            scene.send("bad" + i, "bad" + i, "paid", "bad");
        }
    }

    private void sendHealthy(String name) {
        for (int i = 0; i < 300; i++) {
            scene.send(name + i, "good" + i, "paid", name + " " + i);
        }
    }

    private State state() {
        return scene.shared.problems().health().state();
    }
}
