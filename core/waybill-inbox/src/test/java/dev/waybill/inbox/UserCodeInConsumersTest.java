package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code of the application harms its own message only. */
class UserCodeInConsumersTest {
    private Scene scene;

    @ParameterizedTest
    @ValueSource(
            classes = {
                NoClassDefFoundError.class,
                AssertionError.class,
                StackOverflowError.class,
                IllegalStateException.class,
                InterruptedException.class,
                OfNoKind.class
            })
    void whatever_a_reader_throws_only_its_message_becomes_a_dead_letter(Class<? extends Throwable> type)
            throws Exception {
        Throwable thrown = type.getConstructor().newInstance();
        MessageReader raw = MessageReader.raw();
        MessageReader failing = message -> {
            if (message.header("event-id").orElseThrow().equals("e1")) {
                throwAny(thrown);
            }
            return raw.read(message);
        };
        assertOnlyTheFirstIsDead(failing);
    }

    @Test
    void a_reader_that_returns_nothing_makes_only_its_message_a_dead_letter() {
        MessageReader raw = MessageReader.raw();
        assertOnlyTheFirstIsDead(
                message -> message.header("event-id").orElseThrow().equals("e1") ? null : raw.read(message));
    }

    private void assertOnlyTheFirstIsDead(MessageReader reader) {
        scene = new Scene(reader, plan -> plan.on("placed", (transaction, event) -> scene.note(transaction, event)));
        scene.send("e1", "a", "x");
        scene.send("e2", "a", "y");
        scene.send("e3", "b", "z");
        scene.run();

        assertThat(scene.effects).containsExactlyInAnyOrder("y", "z");
        assertThat(scene.statistics.dead()).isEqualTo(1);
        assertThat(scene.topic.acknowledged()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(classes = {NoClassDefFoundError.class, InterruptedException.class, OfNoKind.class})
    void whatever_a_handler_throws_counts_as_an_attempt_of_its_event(Class<? extends Throwable> type) throws Exception {
        Throwable thrown = type.getConstructor().newInstance();
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (event.id().equals("e1")) {
                throwAny(thrown);
            }
            scene.note(transaction, event);
        }));
        scene.send("e1", "a", "x");
        scene.send("e2", "b", "y");
        scene.run();

        assertThat(scene.effects).containsExactly("y");
        assertThat(scene.statistics.failures()).isEqualTo(1);
    }

    /** A driver would fail the commit of an interrupted thread. */
    @ParameterizedTest
    @ValueSource(strings = {"handler", "handler that throws", "reader", "version", "dead-letter topic", "listener"})
    void code_that_leaves_its_thread_interrupted_interrupts_nothing_of_the_consumer(String where) {
        boolean givenUp = where.equals("handler that throws") || where.equals("dead-letter topic");
        List<Boolean> interrupted = new ArrayList<>();
        MessageReader raw = MessageReader.raw();
        scene = new Scene(
                message -> {
                    interruptIf(where.equals("reader"));
                    return raw.read(message);
                },
                plan -> plan.on("placed", (transaction, event) -> {
                            transaction.onCommit(
                                    () -> interrupted.add(Thread.currentThread().isInterrupted()));
                            interruptIf(where.startsWith("handler"));
                            if (givenUp) {
                                throw new PermanentFailureException("never");
                            }
                        })
                        .onlyNewer(event -> {
                            interruptIf(where.equals("version"));
                            return Optional.empty();
                        })
                        .deadLetterTopic(topic -> {
                            interruptIf(where.equals("dead-letter topic"));
                            return topic + ".dlt";
                        })
                        .listener(new ConsumerListener() {
                            @Override
                            public Handling handling(String consumer, ReceivedEvent event) {
                                interruptIf(where.equals("listener"));
                                return Handling.IGNORED;
                            }
                        }));
        scene.send("e1", "a", "x");
        scene.run();
        interrupted.add(Thread.interrupted());

        assertThat(interrupted).containsOnly(false);
        assertThat(scene.statistics.dead()).isEqualTo(givenUp ? 1 : 0);
    }

    private static void interruptIf(boolean here) {
        if (here) {
            Thread.currentThread().interrupt();
        }
    }

    /** Neither an exception nor an error. */
    public static final class OfNoKind extends Throwable {
        private static final long serialVersionUID = 1;

        public OfNoKind() {}
    }

    private static void throwAny(Throwable thrown) {
        UserCodeInConsumersTest.<RuntimeException>as(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void as(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
