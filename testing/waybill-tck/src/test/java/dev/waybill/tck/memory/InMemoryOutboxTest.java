package dev.waybill.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Behaviour of the in-memory outbox beyond the store contract. */
class InMemoryOutboxTest {
    private static final Limits ONE_EVENT = new Limits(1, 1_000);

    private final InMemoryOutbox outbox = new InMemoryOutbox();
    private final Event first = event();
    private final Event second = event();

    @Test
    void a_test_sees_what_was_committed_in_order() {
        append(first);
        try (InMemoryTransaction undone = outbox.begin()) {
            outbox.append(undone, event());
        }
        append(second);

        assertThat(outbox.committed()).containsExactly(first, second);
    }

    @Test
    void a_transaction_that_has_ended_takes_no_more_events_and_cannot_commit() {
        InMemoryTransaction ended = outbox.begin();
        ended.rollback();

        assertThatExceptionOfType(NoTransactionException.class)
                .isThrownBy(() -> outbox.append(ended, first))
                .withMessageContaining("begin another");
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(() -> outbox.appendIfAbsent(ended, first));
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(ended::commit);
        assertThat(outbox.committed()).isEmpty();
    }

    @Test
    void a_transaction_of_another_outbox_is_refused() {
        try (InMemoryTransaction foreign = new InMemoryOutbox().begin()) {
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> outbox.append(foreign, first))
                    .withMessageContaining("another in-memory outbox");
        }
    }

    @Test
    void an_id_in_another_open_transaction_is_refused_until_that_one_ends() {
        try (InMemoryTransaction open = outbox.begin();
                InMemoryTransaction waiting = outbox.begin()) {
            outbox.append(open, first);
            assertThatExceptionOfType(AppendException.class)
                    .isThrownBy(() -> outbox.appendIfAbsent(waiting, first))
                    .withMessageContaining(first.id())
                    .withMessageContaining("end that one first");
            open.rollback();

            assertThat(outbox.appendIfAbsent(waiting, first)).isEqualTo(1);
        }
    }

    @Test
    void an_append_that_is_refused_leaves_the_transaction_as_it_was() {
        append(first);
        try (InMemoryTransaction tx = outbox.begin()) {
            assertThatExceptionOfType(DuplicateEventException.class)
                    .isThrownBy(() -> outbox.append(tx, second, first))
                    .withMessageContaining(first.id())
                    .withMessageContaining("appendIfAbsent");
            tx.commit();
        }

        assertThat(outbox.committed()).containsExactly(first);
    }

    @Test
    void batches_settled_out_of_order_or_twice_are_refused() {
        append(first, second);
        try (RelaySession session = open()) {
            Batch one = session.claim(ONE_EVENT).orElseThrow();
            Batch two = session.claim(ONE_EVENT).orElseThrow();
            List<Settlement> published = List.of(Settlement.PUBLISHED);

            assertThatIllegalStateException()
                    .isThrownBy(() -> session.settle(two, published))
                    .withMessageContaining("not the oldest of the 2 out");
            session.settle(one, published);
            assertThatIllegalStateException().isThrownBy(() -> session.settle(one, published));
            session.settle(two, published);
        }
    }

    @Test
    void too_few_settlements_are_refused_and_the_batch_stays_out() {
        append(first, second);
        try (RelaySession session = open()) {
            Batch batch = session.claim(new Limits(10, 1_000)).orElseThrow();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> session.settle(batch, List.of(Settlement.PUBLISHED)))
                    .withMessageContaining("1 settlements for a batch of 2 events");
            session.settle(batch, List.of(Settlement.PUBLISHED, Settlement.PUBLISHED));
            assertThat(session.claim(ONE_EVENT)).isEmpty();
        }
    }

    @Test
    void a_closed_session_is_of_no_more_use() {
        RelaySession session = open();
        session.close();

        assertThat(session.renew()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> session.claim(ONE_EVENT));
    }

    private RelaySession open() {
        return outbox.store()
                .open(new RelayName("relay"), new OwnerId("owner"), Duration.ofMinutes(1))
                .orElseThrow();
    }

    private void append(Event... events) {
        try (InMemoryTransaction tx = outbox.begin()) {
            outbox.append(tx, events);
            tx.commit();
        }
    }

    private static Event event() {
        return Event.of("x.v1").aggregate("X", "1").payload(Payload.json("{}"));
    }
}
