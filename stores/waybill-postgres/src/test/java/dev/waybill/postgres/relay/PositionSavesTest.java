package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The position is saved every 10,000 events and every 250 ms, neither more nor less often. */
class PositionSavesTest extends JournalFixture {
    private static final Duration WITHIN = Duration.ofMillis(250);
    private static final Duration ALMOST = Duration.ofMillis(249);

    /** Counts in a sequence, which is not rolled back. */
    @BeforeAll
    void countSaves() throws SQLException {
        database.execute("""
                create sequence saves minvalue 0 start 0;
                create function count_save() returns trigger language plpgsql as
                    $$ begin perform nextval('saves'); return null; end $$;
                create trigger count_saves after update of base on waybill.relay
                    for each row execute function count_save()""");
    }

    @BeforeEach
    void resetCount() throws SQLException {
        database.execute("select setval('saves', 0)");
    }

    private long saves() throws SQLException {
        return database.number("select last_value from saves");
    }

    @Test
    void hundreds_of_small_windows_are_not_saved_one_by_one() throws SQLException {
        RelaySession session = open();
        for (int i = 0; i < 500; i++) {
            append("a" + i);
            assertThat(drain(session)).hasSize(1);
        }
        assertThat(saves()).isZero();
        session.close();
        assertThat(saves()).isEqualTo(1);
        assertThat(drain(open())).isEmpty();
    }

    @Test
    void the_relays_row_stays_small_while_a_transaction_prevents_vacuuming() throws SQLException {
        Connection reader = begin();
        try (Statement statement = reader.createStatement()) {
            statement.execute("set transaction isolation level repeatable read");
            statement.execute("select count(*) from waybill.relay");
        }
        RelaySession session = open();
        long before = database.number("select pg_relation_size('waybill.relay')");
        for (int i = 0; i < 500; i++) {
            append("a" + i);
            drain(session);
            clock().advance(Duration.ofMillis(10));
        }
        // 500 windows in 5 seconds: 20 saves.
        assertThat(saves()).isBetween(18L, 21L);
        assertThat(database.number("select pg_relation_size('waybill.relay')") - before)
                .isLessThanOrEqualTo(3 * 8_192);
    }

    @Test
    void the_position_is_saved_every_10_000_events() throws SQLException {
        appendMany(25_000);
        RelaySession session = open();

        assertThat(drain(session)).hasSize(25_000);

        assertThat(saves()).isEqualTo(2);
        session.close();
        assertThat(saves()).isEqualTo(3);
    }

    @Test
    void a_crash_repeats_only_events_published_since_the_last_save() throws SQLException {
        appendMany(15_000);
        RelaySession crashed = open();
        for (int page = 0; page < 12; page++) {
            publish(crashed, crashed.claim(PLENTY).orElseThrow());
        }

        assertThat(drain(open()))
                .as("10,000 of 12,000 settled events were saved, in the middle of a window")
                .hasSize(5_000)
                .startsWith("n10001");
    }

    @Test
    void the_position_is_saved_after_the_time_even_without_more_events() throws SQLException {
        RelaySession session = open();
        append("a1");
        assertThat(drain(session)).hasSize(1);

        clock().advance(ALMOST);
        assertThat(session.claim(PLENTY)).isEmpty();
        assertThat(saves()).isZero();
        clock().advance(WITHIN.minus(ALMOST));
        assertThat(session.claim(PLENTY)).isEmpty();
        assertThat(saves()).isEqualTo(1);
    }

    @Test
    void the_position_is_saved_with_a_settlement_after_the_time() throws SQLException {
        RelaySession session = open();
        append("a1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        clock().advance(WITHIN);
        publish(session, batch);

        assertThat(saves()).isEqualTo(1);
        assertThat(drain(open())).isEmpty();
    }

    @Test
    void the_position_is_saved_after_the_clock_was_set_back() throws SQLException {
        RelaySession session = open();
        append("a1");
        clock().advance(Duration.ofHours(-1));
        assertThat(drain(session)).hasSize(1);

        assertThat(saves()).isEqualTo(1);
    }

    @Test
    void an_idle_relay_logs_what_it_published_and_then_saves_nothing() throws SQLException {
        RelaySession session = open();
        append("a1");
        drain(session);
        clock().advance(WITHIN);
        session.claim(PLENTY);
        assertThat(saves()).isEqualTo(1);
        assertThat(database.number("select count(*) from waybill.window_log")).isZero();

        for (int i = 0; i < 20; i++) {
            clock().advance(Duration.ofMinutes(1));
            assertThat(session.claim(PLENTY)).isEmpty();
        }
        assertThat(database.number("select sum(events) from waybill.window_log"))
                .isEqualTo(1);
        assertThat(saves()).isEqualTo(2);
    }

    @Test
    void a_parked_event_is_saved_with_the_position_at_once() throws SQLException {
        RelaySession session = open();
        append("a1", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        session.settle(batch, List.of(new Settlement.Dead("never", true, false), Settlement.PUBLISHED));

        assertThat(saves()).isEqualTo(1);
        assertThat(drain(open())).isEmpty();
    }

    @Test
    void options_for_saving_are_applied() throws SQLException {
        appendMany(1_000);
        RelaySession session = open(PostgresJournal.on(
                database.dataSource(), options().saveEvery(100).saveWithin(Duration.ofHours(1))));

        assertThat(drain(session, new Limits(100, 1_000_000))).hasSize(1_000);

        assertThat(saves()).isEqualTo(10);
    }

    @Test
    void the_window_log_has_one_row_for_ten_seconds_and_counts_every_event() throws SQLException {
        RelaySession session = open();
        for (int i = 0; i < 60; i++) {
            append("a" + i);
            assertThat(drain(session)).hasSize(1);
            clock().advance(Duration.ofSeconds(1));
        }
        session.close();

        assertThat(database.number("select count(*) from waybill.window_log")).isEqualTo(6);
        assertThat(database.number("select sum(events) from waybill.window_log"))
                .isEqualTo(60);
    }

    private void appendMany(int events) throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'n' || n, 'Thing', 'a', '1' from generate_series(1, %d) n order by n""".formatted(events));
    }
}
