package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.ConsumerHealth.State;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of events while something that their handlers need is away. */
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
    void for_as_long_as_it_takes_nothing_is_counted_or_given_up_and_other_types_go_on() {
        for (int i = 0; i < 20; i++) {
            scene.send("p" + i, "k" + i, "paid", "paid " + i);
        }
        scene.send("after", "k1", "placed", "after");
        scene.send("other", "other", "placed", "other");

        runFor(Duration.ofMinutes(30));
        assertThat(scene.effects).as("of a key in order, of others at once").containsExactly("other");
        assertThat(scene.statistics.failures()).isZero();
        assertThat(scene.deadLetters.delivered()).isEmpty();
        assertThat(tries).as("one is tried every five seconds").isLessThan(400);
        ConsumerHealth health = scene.condition.vitals().health();
        assertThat(health.state()).isEqualTo(State.WAITING);
        assertThat(health.reason()).contains("paid");

        away = false;
        runFor(Duration.ofSeconds(20));
        assertThat(scene.effects).hasSize(22).contains("after").doesNotHaveDuplicates();
        assertThat(scene.condition.vitals().health().state()).isEqualTo(State.WORKING);
    }

    @Test
    void a_handler_may_say_so_itself() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (away) {
                throw new DependencyAwayException("the warehouse does not answer");
            }
            scene.note(transaction, event);
        }));
        scene.send("e1", "a", "one");
        runFor(Duration.ofMinutes(5));
        assertThat(scene.effects).isEmpty();
        away = false;
        runFor(Duration.ofSeconds(6));
        assertThat(scene.effects).containsExactly("one");
        assertThat(scene.statistics.dead()).isZero();
    }

    @Test
    void a_plan_may_tell_by_the_exceptions_of_its_own_clients() {
        scene = new Scene(plan -> plan.awayWhen(thrown -> thrown instanceof IOException)
                .on("placed", (transaction, event) -> {
                    if (away) {
                        throw new IllegalStateException("wrapped", new IOException("429"));
                    }
                    scene.note(transaction, event);
                }));
        scene.send("e1", "a", "one");
        runFor(Duration.ofMinutes(5));
        assertThat(scene.statistics.failures()).isZero();
        away = false;
        runFor(Duration.ofSeconds(6));
        assertThat(scene.effects).containsExactly("one");
    }

    @Test
    void an_event_that_alone_finds_it_away_holds_up_its_key_and_not_its_type() {
        scene = new Scene(plan -> plan.on("paid", (transaction, event) -> {
            if (event.id().equals("bad")) {
                tries++;
                throw new DependencyAwayException("no answer to this one");
            }
            scene.note(transaction, event);
        }));
        scene.send("bad", "a", "paid", "bad");
        runFor(Duration.ofSeconds(1));
        for (int i = 0; i < 100; i++) {
            scene.send("p" + i, "k" + i, "paid", "paid " + i);
            runFor(Duration.ofSeconds(1));
        }
        int most = 8;
        assertThat(scene.effects).as("but for those of its first waits").hasSizeGreaterThan(100 - most);
        assertThat(tries).isLessThan(40);
    }

    private void runFor(Duration time) {
        for (long i = 0; i < time.toMillis() / 100; i++) {
            scene.run();
            scene.clock.advance(Duration.ofMillis(100));
        }
    }
}
