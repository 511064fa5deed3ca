package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spi.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Order within a key, and transactions that commit late. */
abstract class OrderContract extends FieldsContract {

    @Test
    void events_of_one_append_keep_their_order() {
        append("a1", "b1", "a2", "b2", "a3", "a4", "b3");

        expect(relay().drain(), "a1", "a2", "a3", "a4", "b1", "b2", "b3");
    }

    @Test
    void several_appends_of_one_transaction_keep_their_order() {
        StoreHarness.Tx tx = begin();
        tx.append(events("a1", "b1"));
        tx.append(events("b2"));
        tx.append(events("a2", "a3"));
        tx.commit();

        expect(relay().drain(), "a1", "a2", "a3", "b1", "b2");
    }

    /** Rows of one statement may get times that are one microsecond apart, but end up before those of the next one. */
    @Test
    void an_event_comes_after_all_of_a_large_append_before_it_in_its_transaction() {
        List<String> order = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            String[] many = IntStream.rangeClosed(1, 500)
                    .mapToObj(i -> "a" + (order.size() + i))
                    .toArray(String[]::new);
            String next = "a" + (order.size() + many.length + 1);
            StoreHarness.Tx tx = begin();
            tx.append(events(many));
            tx.append(events(next));
            tx.commit();
            order.addAll(List.of(many));
            order.add(next);
        }

        expect(relay().drain(), order.toArray(String[]::new));
    }

    @Test
    void a_transaction_that_begins_after_another_committed_comes_after_it() {
        append("a1");
        append("a2");
        append("a3");

        expect(relay().drain(), "a1", "a2", "a3");
    }

    @Test
    void an_append_that_runs_after_a_commit_comes_after_it_even_in_a_transaction_that_began_before() {
        StoreHarness.Tx early = begin();
        early.append(events("b1"));
        append("a1");
        early.append(events("a2"));
        early.commit();
        append("a3");

        expect(relay().drain(), "a1", "a2", "a3", "b1");
    }

    @Test
    void a_transaction_that_commits_late_is_not_lost() {
        StoreHarness.Tx late = begin();
        late.append(events("a1"));
        append("b1");
        Courier relay = relay();
        expect(relay.drain(), "b1");

        late.commit();
        append("b2");
        expect(relay.drain(), "a1", "b2");
    }

    @Test
    void a_transaction_that_commits_late_is_not_lost_to_a_later_session() {
        StoreHarness.Tx late = begin();
        late.append(events("a1", "b1"));
        append("c1");
        expect(drain(), "c1");

        append("c2");
        late.commit();
        expect(drain(), "a1", "b1", "c2");
        assertThat(drain()).isEmpty();
    }

    @Test
    void a_transaction_that_commits_while_batches_are_out_is_not_lost() {
        StoreHarness.Tx late = begin();
        late.append(events("a1"));
        append("b1", "b2");
        Courier relay = relay().limits(1, 1_000);
        Batch first = relay.claim();
        late.commit();
        Batch second = relay.claim();
        relay.publish(first);
        relay.publish(second);

        List<String> came = new ArrayList<>(relay.names(first));
        came.addAll(relay.names(second));
        came.addAll(relay.drain());
        expect(came, "a1", "b1", "b2");
    }

    @Test
    void transactions_that_commit_in_the_reverse_of_their_order_are_all_there() {
        StoreHarness.Tx first = begin();
        first.append(events("a1"));
        StoreHarness.Tx second = begin();
        second.append(events("b1"));
        StoreHarness.Tx third = begin();
        third.append(events("c1"));
        Courier relay = relay();

        third.commit();
        expect(relay.drain(), "c1");
        second.commit();
        expect(relay.drain(), "b1");
        first.commit();
        expect(relay.drain(), "a1");
    }

    @Test
    void a_transaction_left_open_holds_nobody_up() {
        begin().append(events("a1"));
        append("b1");
        Courier relay = relay();
        expect(relay.drain(), "b1");
        append("b2");
        append("c1");
        expect(relay.drain(), "b2", "c1");
    }

    @Test
    void a_late_transaction_that_rolls_back_leaves_nothing() {
        StoreHarness.Tx late = begin();
        late.append(events("a1"));
        append("b1");
        expect(drain(), "b1");
        late.rollback();
        append("b2");

        expect(drain(), "b2");
    }

    @Test
    void a_key_of_the_applications_own_is_the_unit_of_order() {
        assumeKeeps(StoredField.KEY);
        for (int i = 1; i <= 6; i++) {
            append(book.enter(
                    "k" + i,
                    Event.of("x.v1")
                            .aggregate("X", aggregateId("aggregate-" + i))
                            .payload(Payload.json("{}"))
                            .key("one key")));
        }

        expect(relay().limits(2, 1_000).drain(), "k1", "k2", "k3", "k4", "k5", "k6");
    }
}
