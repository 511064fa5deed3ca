package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Inbox.Outcome;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConsumerListenerTest {
    private final List<String> heard = new ArrayList<>();
    private Scene scene;

    /** Records every call under a name. */
    private final class Recording implements ConsumerListener {
        private final String name;

        Recording(String name) {
            this.name = name;
        }

        @Override
        public Handling handling(String consumer, ReceivedEvent event) {
            assertThat(consumer).isEqualTo("billing");
            heard.add(name + " handling " + event.id());
            return failure -> heard.add(name + " ended " + event.id()
                    + failure.map(thrown -> " " + thrown.getMessage()).orElse(""));
        }

        @Override
        public void handled(String consumer, ReceivedEvent event, Outcome outcome) {
            heard.add(name + " handled " + event.id() + " " + outcome.getClass().getSimpleName());
        }

        @Override
        public void dead(String consumer, InboundMessage message, String error) {
            heard.add(name + " dead " + message.header("event-id").orElseThrow() + " " + error);
        }
    }

    @Test
    void each_listener_is_told_around_the_handler_and_after_the_commit() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> heard.add("handler " + event.id()))
                .listener(new Recording("one"))
                .listener(new Recording("two")));
        scene.send("e1", "a", "x");
        scene.send("e1", "a", "x");
        scene.run();

        assertThat(heard)
                .containsExactly(
                        "one handling e1",
                        "two handling e1",
                        "handler e1",
                        "two ended e1",
                        "one ended e1",
                        "one handled e1 Handled",
                        "two handled e1 Handled",
                        "one handled e1 Duplicate",
                        "two handled e1 Duplicate");
    }

    @Test
    void events_of_one_transaction_are_told_one_by_one() {
        scene = new Scene(
                plan -> plan.inBatches("placed", (transaction, event) -> {}).listener(new Recording("it")));
        scene.send("e1", "a", "x");
        scene.send("e2", "a", "x");
        scene.run();

        assertThat(heard)
                .containsExactly(
                        "it handling e1",
                        "it ended e1",
                        "it handling e2",
                        "it ended e2",
                        "it handled e1 Handled",
                        "it handled e2 Handled");
    }

    @Test
    void it_hears_what_a_handler_threw_and_that_a_message_was_given_up() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
                    throw new PermanentFailureException("no such order");
                })
                .listener(new Recording("it")));
        scene.send("e1", "a", "x");
        scene.run();

        assertThat(heard).hasSize(3).startsWith("it handling e1", "it ended e1 no such order");
        assertThat(heard.get(2)).startsWith("it dead e1 ").contains("no such order");
    }

    @Test
    void a_listener_that_throws_has_no_effect() {
        ConsumerListener broken = new ConsumerListener() {
            @Override
            public Handling handling(String consumer, ReceivedEvent event) {
                throw new AssertionError("planted");
            }

            @Override
            public void handled(String consumer, ReceivedEvent event, Outcome outcome) {
                throw new IllegalStateException("planted");
            }
        };
        ConsumerListener brokenLater = new ConsumerListener() {
            @Override
            public Handling handling(String consumer, ReceivedEvent event) {
                return (Optional<Throwable> failure) -> {
                    throw new IllegalStateException("planted");
                };
            }
        };
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> scene.note(transaction, event))
                .listener(broken)
                .listener(brokenLater));
        scene.send("e1", "a", "x");
        scene.run();

        assertThat(scene.effects).containsExactly("x");
        assertThat(scene.statistics.failures()).isZero();
        assertThat(scene.topic.acknowledged()).isEqualTo(1);
    }
}
