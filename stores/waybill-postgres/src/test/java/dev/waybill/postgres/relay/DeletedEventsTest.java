package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.Remedy;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parked events that were deleted from the journal must not close their keys forever. */
class DeletedEventsTest extends JournalFixture {
    private static final Settlement HOLDING = new Settlement.Dead("never", true, true);

    @Test
    void keys_of_parked_events_are_open_within_seconds_after_truncate() throws SQLException {
        RelaySession session = open();
        append("a1", "a2", "b1", "c1");
        session.settle(
                session.claim(PLENTY).orElseThrow(),
                List.of(inAnHour(), Settlement.BEHIND, HOLDING, new Settlement.Dead("never", false, true)));

        database.execute("truncate waybill.event");
        append("a3", "b2", "c2");
        clock().advance(Duration.ofSeconds(10));

        assertThat(drain(session)).containsExactlyInAnyOrder("a3", "b2", "c2");
        assertThat(parked()).isZero();
    }

    @Test
    void events_that_wait_behind_a_deleted_event_are_published_in_order() throws SQLException {
        RelaySession session = open();
        append("a1", "a2", "a3");
        session.settle(session.claim(PLENTY).orElseThrow(), List.of(HOLDING, Settlement.BEHIND, Settlement.BEHIND));
        append("a4");
        assertThat(drain(session)).isEmpty();

        database.execute("delete from waybill.event where type in ('a1', 'a3')");
        clock().advance(Duration.ofSeconds(10));

        assertThat(drain(session)).containsExactly("a2", "a4");
        assertThat(parked()).isZero();
    }

    @Test
    void deleted_dead_events_that_close_no_key_are_dropped_too() throws SQLException {
        Settlement dead = new Settlement.Dead("never", true, false);
        RelaySession session = open();
        append("a1", "b1");
        session.settle(session.claim(PLENTY).orElseThrow(), List.of(dead, dead));
        database.execute("truncate waybill.event");
        clock().advance(Duration.ofSeconds(10));

        assertThat(drain(session)).isEmpty();
        assertThat(journal().admin().relays().get(0).dead()).isZero();
    }

    @Test
    void a_new_session_drops_deleted_events_at_its_start() throws SQLException {
        try (RelaySession session = open()) {
            append("a1");
            session.settle(session.claim(PLENTY).orElseThrow(), List.of(inAnHour()));
        }
        database.execute("truncate waybill.event");
        append("a2");

        assertThat(drain(open())).containsExactly("a2");
    }

    @Test
    void more_deleted_events_than_one_search_covers_are_dropped_without_a_pause() throws SQLException {
        RelaySession session = open();
        append("a1");
        publish(session, session.claim(PLENTY).orElseThrow());
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, holds)
                select 'relay', -n, gen_random_uuid(), 'dead', true from generate_series(1, 1000) n""");
        clock().advance(Duration.ofSeconds(10));

        for (int i = 0; i < 50 && parked() > 0; i++) {
            assertThat(session.claim(PLENTY)).isEmpty();
        }

        assertThat(parked()).isZero();
    }

    @Test
    void after_the_remedy_for_a_sequence_set_back_old_parked_rows_do_not_match_new_events() throws SQLException {
        RelaySession session = open();
        append("a1", "a2", "b1");
        session.settle(
                session.claim(PLENTY).orElseThrow(), List.of(inAnHour(), Settlement.BEHIND, Settlement.PUBLISHED));
        assertThat(session.claim(PLENTY)).isEmpty();
        session.close();
        database.execute("truncate waybill.event restart identity");
        append("c1", "c2");
        Remedy.run(this::open, database);

        RelaySession next = open();
        Batch batch = next.claim(PLENTY).orElseThrow();
        assertThat(names(batch)).containsExactly("c1", "c2");
        next.settle(
                batch, List.of(new Settlement.RetryAt(clock().instant().plusSeconds(1), "not now"), Settlement.BEHIND));
        append("a3", "c3");
        assertThat(drain(next)).containsExactly("a3");
        clock().advance(Duration.ofSeconds(2));

        assertThat(drain(next)).containsExactly("c1", "c2", "c3");
        assertThat(parked()).isZero();
    }

    private Settlement inAnHour() {
        return new Settlement.RetryAt(clock().instant().plus(Duration.ofHours(1)), "not now");
    }

    private long parked() throws SQLException {
        return database.number("select count(*) from waybill.parked");
    }
}
