package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.DeadLetterSender.Answer;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DeadLetterSenderTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AnsweredByTheTest letters = new AnsweredByTheTest();

    /** Like Kafka's client it answers on a thread of its own, for which an abort waits. */
    private static final class AnsweredByTheTest implements Destination {
        private final List<CompletableFuture<List<Delivery>>> open = new CopyOnWriteArrayList<>();
        private volatile CompletableFuture<?> room = CompletableFuture.completedFuture(null);
        private final CompletableFuture<Void> waits = new CompletableFuture<>();
        private int aborts;

        @Override
        public Guarantees guarantees() {
            return new Guarantees(KeyOrder.KEPT_IN_FLIGHT, 1_000_000);
        }

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            if (!room.isDone()) {
                waits.complete(null);
                room.join();
            }
            CompletableFuture<List<Delivery>> answer = new CompletableFuture<>();
            open.add(answer);
            return answer;
        }

        void answer(int index, Delivery delivery) {
            open.get(index).complete(List.of(delivery));
        }

        @Override
        public void abort() {
            aborts++;
            CompletableFuture.runAsync(() -> {
                        for (int i = 0; i < open.size(); i++) {
                            answer(i, new Delivery.Unavailable("aborted"));
                        }
                    })
                    .join();
        }

        @Override
        public void close() {}
    }

    @Test
    void an_unavailable_broker_costs_no_letter_that_is_in_flight() {
        DeadLetterSender sender = new DeadLetterSender(letters, LONG);
        CompletableFuture<Answer> first = send(sender);
        CompletableFuture<Answer> second = send(sender);
        letters.answer(0, new Delivery.Unavailable("no broker"));
        CompletableFuture<Answer> third = send(sender);
        letters.answer(1, Delivery.DELIVERED);
        letters.answer(2, Delivery.DELIVERED);

        assertThat(first).isCompletedWithValueMatching(Answer.NotNow.class::isInstance);
        assertThat(second).isCompletedWithValue(Answer.TAKEN);
        assertThat(third).isCompletedWithValue(Answer.TAKEN);
        assertThat(letters.aborts).isZero();
    }

    @Test
    void a_letter_without_an_answer_ends_the_connection_and_those_in_flight_are_answered() {
        DeadLetterSender impatient = new DeadLetterSender(letters, Duration.ofMillis(1));
        assertThat(send(impatient).join()).isInstanceOf(Answer.NotNow.class);
        CompletableFuture<Answer> next = send(impatient);

        assertThat(letters.aborts).isEqualTo(1);
        assertThat(letters.open.get(0)).isCompletedWithValue(List.of(new Delivery.Unavailable("aborted")));
        assertThat(next.join()).isInstanceOf(Answer.NotNow.class);
    }

    /** As a producer whose buffer is full, which it empties by answering. */
    @Test
    void a_letter_that_waits_for_room_keeps_no_other_from_being_answered() throws InterruptedException {
        DeadLetterSender sender = new DeadLetterSender(letters, LONG);
        CompletableFuture<Answer> first = send(sender);
        letters.room = first;
        List<CompletableFuture<Answer>> second = new CopyOnWriteArrayList<>();
        Thread other = new Thread(() -> second.add(send(sender)));
        other.start();
        letters.waits.join();
        letters.answer(0, Delivery.DELIVERED);

        assertThat(first).isCompletedWithValue(Answer.TAKEN);
        other.join();
        letters.answer(1, Delivery.DELIVERED);
        assertThat(second.get(0)).isCompletedWithValue(Answer.TAKEN);
    }

    @Test
    void after_an_answer_that_breaks_the_contract_the_connection_ends_and_the_letter_is_tried_again() {
        DeadLetterSender sender = new DeadLetterSender(letters, LONG);
        List<List<Delivery>> wrong = new ArrayList<>(List.of(
                List.of(),
                Collections.nCopies(2, Delivery.DELIVERED),
                Collections.singletonList(null),
                List.of(new Delivery.Refused(null)),
                new AbstractList<>() {
                    @Override
                    public Delivery get(int index) {
                        throw new IllegalStateException("planted");
                    }

                    @Override
                    public int size() {
                        return 1;
                    }
                }));
        wrong.add(null);
        for (int i = 0; i < wrong.size(); i++) {
            CompletableFuture<Answer> letter = send(sender);
            assertThat(letters.aborts).isEqualTo(i);
            letters.open.get(i).complete(wrong.get(i));
            assertThat(letter)
                    .as("answer %d", i)
                    .isCompletedWithValueMatching(answer -> answer instanceof Answer.NotNow notNow
                            && notNow.why().contains(AnsweredByTheTest.class.getName()));
        }
    }

    private static CompletableFuture<Answer> send(DeadLetterSender sender) {
        Utf8 id = Utf8.of("e1");
        EventFacts facts = new EventFacts(id, id, id, "application/json", Instant.EPOCH);
        return sender.send(new OutboundMessage(facts, "orders.dlt", new byte[0], new byte[0], List.of()))
                .toCompletableFuture();
    }
}
