package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The relay's row is saved by time and count: often enough that a crash repeats little, rarely enough that it never bloats. */
class PositionSavingTest extends JournalFixture {
    private static final Duration SAVE_WITHIN = JournalOptions.DEFAULT.saveWithin();

    @Test
    void many_small_windows_within_the_time_are_not_saved_one_by_one() throws SQLException {
        RelaySession session = open();
        String before = versionOfTheRow();
        for (int i = 0; i < 50; i++) {
            append("a" + i);
            assertThat(drain(session)).containsExactly("a" + i);
        }
        assertThat(versionOfTheRow()).isEqualTo(before);
    }

    @Test
    void progress_is_saved_once_the_time_has_passed() throws SQLException {
        RelaySession session = open();
        append("a1");
        drain(session);
        assertThat(isPublishedInTheSavedPosition("a1")).isFalse();
        clock().advance(SAVE_WITHIN);
        assertThat(session.claim(PLENTY)).isEmpty();

        assertThat(isPublishedInTheSavedPosition("a1")).isTrue();
    }

    @Test
    void nothing_is_written_while_there_is_nothing_to_save() throws SQLException {
        RelaySession session = open();
        append("a1");
        drain(session);
        clock().advance(SAVE_WITHIN);
        drain(session);
        String saved = versionOfTheRow();
        for (int i = 0; i < 20; i++) {
            clock().advance(SAVE_WITHIN);
            database.execute("create table if not exists busy_elsewhere ()");
            drain(session);
        }
        assertThat(versionOfTheRow()).isEqualTo(saved);
    }

    @Test
    void progress_is_saved_after_so_many_events_whatever_the_time() throws SQLException {
        database.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                + " select 'x', 'X', g::text, '{}' from generate_series(1, 25000) g");
        RelaySession session = open();
        Limits thousand = new Limits(1_000, 100_000_000);
        int saves = 0;
        String version = versionOfTheRow();
        for (int published = 1_000; published <= 25_000; published += 1_000) {
            publish(session, session.claim(thousand).orElseThrow());
            String now = versionOfTheRow();
            if (!now.equals(version)) {
                saves++;
                version = now;
                assertThat(published % 10_000).as("published at a save").isZero();
            }
        }
        assertThat(saves).isEqualTo(2);
    }

    @Test
    void what_is_not_saved_is_saved_when_the_session_ends() throws SQLException {
        RelaySession session = open();
        append("a1", "b1");
        drain(session);
        session.close();

        assertThat(isPublishedInTheSavedPosition("a1")).isTrue();
        assertThat(drain(open())).isEmpty();
    }

    @Test
    void the_window_log_stays_coarse() throws SQLException {
        RelaySession session = open();
        for (int i = 0; i < 100; i++) {
            append("a" + i);
            drain(session);
            clock().advance(SAVE_WITHIN);
            drain(session);
        }
        // 25 seconds have passed, and it logs every ten.
        assertThat(database.number("select count(*) from waybill.window_log")).isBetween(1L, 3L);
    }

    /** Changes with every update of the relay's row. */
    private String versionOfTheRow() throws SQLException {
        return database.number("select xmin::text::bigint from waybill.relay") + "";
    }

    private boolean isPublishedInTheSavedPosition(String name) throws SQLException {
        return database.number("select count(*) from waybill.event e, waybill.relay r"
                        + " where pg_visible_in_snapshot(e.xid, r.base) and e.type = '" + name + "'")
                == 1;
    }
}
