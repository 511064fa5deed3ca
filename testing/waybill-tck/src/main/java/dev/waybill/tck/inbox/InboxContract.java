package dev.waybill.tck.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.EventIds;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.spi.TransactionConflictException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of inboxes. An inbox is complete when its subclass of this passes.
 *
 * @param <T> the transaction
 */
@SuppressWarnings("NullAway.Init") // set before every test
public abstract class InboxContract<T> {
    /** The consumer of most tests. */
    public static final String CONSUMER = "billing";

    private static final long PATIENCE_SECONDS = 60;

    private InboxHarness<T> harness;
    private final List<T> begun = new ArrayList<>();

    /** An empty inbox for one test. */
    protected abstract InboxHarness<T> newInbox() throws Exception;

    @BeforeEach
    void open() throws Exception {
        harness = newInbox();
    }

    @AfterEach
    void close() {
        begun.forEach(harness::rollback);
        harness.close();
    }

    @Test
    void an_event_is_handled_once_however_often_it_arrives() {
        Incoming event = newEvent();

        assertThat(handle(CONSUMER, event, "paid")).isEqualTo(Outcome.HANDLED);
        assertThat(handle(CONSUMER, event, "paid")).isEqualTo(Outcome.DUPLICATE);
        assertThat(handle(CONSUMER, event, "paid")).isEqualTo(Outcome.DUPLICATE);

        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    @Test
    void within_one_transaction_too_an_event_is_handled_once() {
        Incoming event = newEvent();
        T transaction = begin();

        assertThat(handleIn(transaction, CONSUMER, event, "paid")).isEqualTo(Outcome.HANDLED);
        assertThat(handleIn(transaction, CONSUMER, event, "paid")).isEqualTo(Outcome.DUPLICATE);
        harness.commit(transaction);

        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    @Test
    void many_events_are_handled_in_one_transaction_in_order_and_each_once() {
        List<Incoming> events = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            events.add(newEvent());
        }
        events.add(events.get(3));
        handle(CONSUMER, events.get(7), "paid");
        List<Integer> indexes = IntStream.range(0, events.size()).boxed().toList();
        List<Integer> applied = new ArrayList<>();
        T transaction = begin();

        List<Outcome> outcomes = harness.inbox()
                .handleAll(transaction, CONSUMER, indexes, events::get, (open, index) -> {
                    applied.add(index);
                    harness.leaveEffect(open, "paid");
                });
        harness.commit(transaction);

        assertThat(applied).isSorted().hasSize(19).doesNotContain(7, 20);
        assertThat(outcomes).hasSize(21);
        assertThat(outcomes.get(7)).isEqualTo(Outcome.DUPLICATE);
        assertThat(outcomes.get(20)).isEqualTo(Outcome.DUPLICATE);
        assertThat(outcomes.get(6)).isEqualTo(Outcome.HANDLED);
        assertThat(harness.effects("paid")).isEqualTo(20);
    }

    @Test
    void when_one_of_many_fails_nothing_of_them_is_left_behind() {
        List<Incoming> events = List.of(newEvent(), newEvent(), newEvent());
        T transaction = begin();

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> harness.inbox()
                        .handleAll(transaction, CONSUMER, events, event -> event, (open, event) -> {
                            harness.leaveEffect(open, "printed");
                            if (event.equals(events.get(1))) {
                                throw new IOException("no paper");
                            }
                        }));
        harness.rollback(transaction);

        assertThat(harness.effects("printed")).isZero();
        events.forEach(event -> assertThat(handle(CONSUMER, event, "printed")).isEqualTo(Outcome.HANDLED));
    }

    @Test
    void every_consumer_handles_an_event_for_itself_or_a_second_one_is_refused() {
        Incoming event = newEvent();
        assertThat(handle(CONSUMER, event, "paid")).isEqualTo(Outcome.HANDLED);

        if (harness.takesSeveralConsumers()) {
            assertThat(handle("shipping", event, "sent")).isEqualTo(Outcome.HANDLED);
            assertThat(handle("shipping", event, "sent")).isEqualTo(Outcome.DUPLICATE);
        } else {
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> handle("shipping", event, "sent"))
                    .withMessageContaining("shipping")
                    .withMessageContaining(CONSUMER);
        }

        assertThat(harness.effects("paid")).isEqualTo(1);
        assertThat(harness.effects("sent")).isEqualTo(harness.takesSeveralConsumers() ? 1 : 0);
    }

    @Test
    void what_was_rolled_back_can_be_handled_again() {
        Incoming event = newEvent();
        T transaction = begin();
        handleIn(transaction, CONSUMER, event, "paid");
        harness.rollback(transaction);

        assertThat(handle(CONSUMER, event, "paid")).isEqualTo(Outcome.HANDLED);
        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    @Test
    void the_failure_of_an_effect_comes_out_as_it_is_and_leaves_nothing_behind() {
        Incoming event = newEvent();
        T transaction = begin();
        IOException failure = new IOException("no paper");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> harness.inbox().handleOnce(transaction, CONSUMER, event, open -> {
                    harness.leaveEffect(open, "printed");
                    throw failure;
                }))
                .isSameAs(failure);
        harness.rollback(transaction);

        assertThat(harness.effects("printed")).isZero();
        assertThat(handle(CONSUMER, event, "printed")).isEqualTo(Outcome.HANDLED);
    }

    @Test
    void of_two_at_once_one_waits_and_is_a_duplicate() throws Exception {
        Incoming event = newEvent();
        T first = begin();
        handleIn(first, CONSUMER, event, "paid");

        Future<Outcome> second = beside(() -> handle(CONSUMER, event, "paid"));
        harness.commit(first);

        assertThat(second.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(Outcome.DUPLICATE);
        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    @Test
    void of_two_at_once_the_second_handles_it_when_the_first_rolls_back() throws Exception {
        Incoming event = newEvent();
        T first = begin();
        handleIn(first, CONSUMER, event, "paid");

        Future<Outcome> second = beside(() -> handle(CONSUMER, event, "paid"));
        harness.rollback(first);

        assertThat(second.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(Outcome.HANDLED);
        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    @Test
    void a_handler_whose_transaction_was_rolled_back_has_no_effect_though_another_one_handled_the_event() {
        Incoming event = newEvent();
        T transaction = begin();

        commitUnlessRefused(
                transaction,
                () -> harness.inbox()
                        .handleOnce(
                                transaction, CONSUMER, event, open -> continueAfterAnother(transaction, open, event)));

        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    @Test
    void handlers_of_many_whose_transaction_was_rolled_back_have_no_effect_though_another_one_handled_an_event() {
        List<Incoming> events = List.of(newEvent(), newEvent());
        T transaction = begin();

        commitUnlessRefused(
                transaction,
                () -> harness.inbox().handleAll(transaction, CONSUMER, events, event -> event, (open, event) -> {
                    if (event.equals(events.get(0))) {
                        continueAfterAnother(transaction, open, event);
                    }
                }));

        assertThat(harness.effects("paid")).isEqualTo(1);
    }

    private void continueAfterAnother(T transaction, T open, Incoming event) {
        harness.startOver(transaction);
        assertThat(handle(CONSUMER, event, "paid")).isEqualTo(Outcome.HANDLED);
        harness.leaveEffect(open, "paid");
    }

    private void commitUnlessRefused(T transaction, Runnable handling) {
        try {
            handling.run();
        } catch (TransactionConflictException e) {
            harness.rollback(transaction);
            return;
        }
        harness.commit(transaction);
    }

    @Test
    void a_version_that_is_not_newer_is_stale_and_stays_so() {
        if (!harness.guardsVersions()) {
            versionsAreRefused();
            return;
        }
        Incoming third = newEvent().ofEntity("Order:7", 3);
        Incoming second = newEvent().ofEntity("Order:7", 2);
        Incoming alsoThird = newEvent().ofEntity("Order:7", 3);

        assertThat(handle(CONSUMER, third, "shown")).isEqualTo(Outcome.HANDLED);
        assertThat(handle(CONSUMER, second, "shown")).isEqualTo(new Outcome.Stale(3));
        assertThat(handle(CONSUMER, alsoThird, "shown")).isEqualTo(new Outcome.Stale(3));
        assertThat(handle(CONSUMER, second, "shown")).isEqualTo(Outcome.DUPLICATE);

        assertThat(harness.effects("shown")).isEqualTo(1);
    }

    @Test
    void missing_versions_are_told() {
        if (!harness.guardsVersions()) {
            versionsAreRefused();
            return;
        }
        assertThat(handle(CONSUMER, newEvent().ofEntity("Order:7", 1), "shown")).isEqualTo(Outcome.HANDLED);
        assertThat(handle(CONSUMER, newEvent().ofEntity("Order:7", 2), "shown")).isEqualTo(Outcome.HANDLED);
        assertThat(handle(CONSUMER, newEvent().ofEntity("Order:7", 5), "shown"))
                .isEqualTo(new Outcome.Handled(OptionalLong.of(2)));
        assertThat(handle(CONSUMER, newEvent().ofEntity("Order:7", 6), "shown")).isEqualTo(Outcome.HANDLED);
    }

    @Test
    void versions_are_counted_for_each_entity_and_consumer_apart() {
        if (!harness.guardsVersions()) {
            versionsAreRefused();
            return;
        }
        handle(CONSUMER, newEvent().ofEntity("Order:7", 9), "shown");

        assertThat(handle(CONSUMER, newEvent().ofEntity("Order:8", 1), "shown")).isEqualTo(Outcome.HANDLED);
        if (harness.takesSeveralConsumers()) {
            assertThat(handle("shipping", newEvent().ofEntity("Order:7", 1), "sent"))
                    .isEqualTo(Outcome.HANDLED);
        }
    }

    @Test
    void a_version_that_was_rolled_back_was_not_seen() {
        if (!harness.guardsVersions()) {
            versionsAreRefused();
            return;
        }
        handle(CONSUMER, newEvent().ofEntity("Order:7", 1), "shown");
        T transaction = begin();
        handleIn(transaction, CONSUMER, newEvent().ofEntity("Order:7", 2), "shown");
        harness.rollback(transaction);

        assertThat(handle(CONSUMER, newEvent().ofEntity("Order:7", 2), "shown")).isEqualTo(Outcome.HANDLED);
    }

    private void versionsAreRefused() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> handle(CONSUMER, newEvent().ofEntity("Order:7", 1), "shown"))
                .withMessageContaining("version");
        assertThat(harness.effects("shown")).isZero();
    }

    private static Incoming newEvent() {
        return Incoming.event(EventIds.next());
    }

    private T begin() {
        T transaction = harness.begin();
        begun.add(transaction);
        return transaction;
    }

    private Outcome handleIn(T transaction, String consumer, Incoming event, String effect) {
        return harness.inbox().handleOnce(transaction, consumer, event, open -> harness.leaveEffect(open, effect));
    }

    private Outcome handle(String consumer, Incoming event, String effect) {
        T transaction = harness.begin();
        try {
            Outcome outcome = handleIn(transaction, consumer, event, effect);
            harness.commit(transaction);
            return outcome;
        } finally {
            harness.rollback(transaction);
        }
    }

    /** Runs the action on another thread, which has started when this returns. */
    private static <R> Future<R> beside(Callable<R> work) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Future<R> future = executor.submit(() -> {
            begun.countDown();
            return work.call();
        });
        executor.shutdown();
        begun.await();
        return future;
    }
}
