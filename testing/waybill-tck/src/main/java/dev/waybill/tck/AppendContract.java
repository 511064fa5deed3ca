package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.Payload;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Events follow the outcome of the application's transaction. */
abstract class AppendContract extends StoreFixture {

    @Test
    void a_claim_on_an_empty_store_brings_nothing() {
        assertThat(relay().drain()).isEmpty();
    }

    @Test
    void committed_events_come_exactly_once() {
        append("a1");
        append("b1");
        append("c1", "c2");

        Courier relay = relay();
        expect(relay.drain(), "a1", "b1", "c1", "c2");
        assertThat(relay.drain()).isEmpty();
    }

    @Test
    void events_committed_while_the_relay_runs_come_too() {
        Courier relay = relay();
        append("a1");
        expect(relay.drain(), "a1");

        append("a2");
        append("b1");
        expect(relay.drain(), "a2", "b1");
    }

    @Test
    void an_event_is_not_seen_before_its_transaction_commits() {
        StoreHarness.Tx open = begin();
        open.append(events("a1"));
        Courier relay = relay();
        assertThat(relay.drain()).isEmpty();

        open.commit();
        expect(relay.drain(), "a1");
    }

    @Test
    void rolled_back_events_never_come() {
        append("a1");
        StoreHarness.Tx undone = begin();
        undone.append(events("a2", "b1"));
        undone.rollback();
        append("a3");

        expect(relay().drain(), "a1", "a3");
    }

    @Test
    void an_append_without_events_does_nothing() {
        StoreHarness.Tx tx = begin();
        tx.append();
        assertThat(tx.appendIfAbsent()).isZero();
        tx.commit();

        assertThat(relay().drain()).isEmpty();
    }

    @Test
    void an_id_that_is_already_there_is_refused() {
        append("a1");
        StoreHarness.Tx again = begin();
        assertThatExceptionOfType(DuplicateEventException.class).isThrownBy(() -> again.append(events("b1", "a1")));
        again.rollback();

        expect(relay().drain(), "a1");
    }

    @Test
    void an_id_that_was_published_is_still_refused() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        expect(drain(), "a1");
        StoreHarness.Tx again = begin();
        assertThatExceptionOfType(DuplicateEventException.class).isThrownBy(() -> again.append(events("a1")));
    }

    @Test
    void the_same_id_twice_in_one_append_is_refused() {
        StoreHarness.Tx tx = begin();
        assertThatExceptionOfType(DuplicateEventException.class).isThrownBy(() -> tx.append(events("a1", "a1")));
        tx.rollback();

        assertThat(relay().drain()).isEmpty();
    }

    @Test
    void an_id_that_was_rolled_back_is_free() {
        StoreHarness.Tx undone = begin();
        undone.append(events("a1"));
        undone.rollback();
        append("a1");

        expect(relay().drain(), "a1");
    }

    @Test
    void append_if_absent_tells_how_many_were_new() {
        append("a1");
        StoreHarness.Tx tx = begin();
        assertThat(tx.appendIfAbsent(events("a1", "a2", "a3"))).isEqualTo(2);
        assertThat(tx.appendIfAbsent(events("a2", "a3"))).isZero();
        tx.commit();

        expect(relay().drain(), "a1", "a2", "a3");
    }

    @Test
    void append_if_absent_takes_one_of_the_same_id_twice() {
        StoreHarness.Tx tx = begin();
        assertThat(tx.appendIfAbsent(events("a1", "a1"))).isEqualTo(1);
        tx.commit();

        expect(relay().drain(), "a1");
    }

    @Test
    void append_if_absent_leaves_what_is_there_as_it_is() {
        append("a1");
        Event other = Event.of("tck.other.v1")
                .aggregate("Thing", aggregateId("a"))
                .payload(Payload.json("{\"other\":true}"))
                .id(id("a1"));
        StoreHarness.Tx tx = begin();
        assertThat(tx.appendIfAbsent(other)).isZero();
        tx.commit();

        Courier relay = relay();
        expect(relay.drain(), "a1");
        assertThat(new String(relay.seen("a1").payload(), StandardCharsets.UTF_8))
                .isEqualTo("{\"name\":\"a1\"}");
    }

    @Test
    void a_new_relay_gets_what_was_there_before_it() {
        append("a1");
        append("a2");
        assertThat(admin().relays()).isEmpty();

        expect(relay().drain(), "a1", "a2");
    }
}
