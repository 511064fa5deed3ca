package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreWatch;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.StoreException;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class JournalWatchTest extends JournalFixture {
    /** Server processes of this database that have read the status. */
    private static final String WATCHING = " from pg_stat_activity where datname = current_database()"
            + " and pid <> pg_backend_pid() and query like '%set_config(''statement_timeout''%'";

    @Test
    void a_watch_reads_what_is_new_over_the_same_connection() throws SQLException {
        open().close();
        try (StoreWatch watch = journal().admin().watch()) {
            assertThat(watch.read().relays()).extracting(RelayStatus::backlog).containsExactly(0L);
            long process = database.number("select pid" + WATCHING);
            append("a1", "b1");
            assertThat(watch.read().relays()).extracting(RelayStatus::backlog).containsExactly(2L);
            assertThat(database.number("select pid" + WATCHING)).isEqualTo(process);
        }
    }

    @Test
    void a_watch_goes_on_when_the_server_has_ended_its_connection() throws SQLException {
        open().close();
        try (StoreWatch watch = journal().admin().watch()) {
            watch.read();
            assertThat(database.number("select count(pg_terminate_backend(pid, 30000))" + WATCHING))
                    .isEqualTo(1);
            assertThat(watch.read().relays()).hasSize(1);
        }
    }

    @Test
    void a_register_that_is_locked_hides_no_status() throws SQLException {
        open().close();
        try (StoreWatch watch = journal().admin().watch();
                Connection locked = begin();
                Statement statement = locked.createStatement()) {
            watch.read();
            statement.execute("lock table waybill.process in access exclusive mode");
            assertThat(watch.read()).satisfies(reading -> {
                assertThat(reading.relays()).hasSize(1);
                assertThat(reading.reports()).isEmpty();
            });
        }
    }

    @Test
    void brief_work_leaves_the_usual_time_limits_behind() {
        JournalConnection.once(database.dataSource(), "asking", open -> {
            String brief = open.briefly(JournalWatchTest::limits);
            assertThat(brief).isEqualTo("1s 500ms");
            assertThat(limits(open)).isEqualTo("25s 10s");
            return brief;
        });
    }

    private static String limits(JournalConnection open) throws SQLException {
        return open.one(
                "select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')",
                row -> row.getString(1));
    }

    @Test
    void a_closed_watch_reads_nothing_more() throws Exception {
        StoreWatch watch = journal().admin().watch();
        watch.read();
        watch.close();
        assertThatThrownBy(watch::read).isInstanceOf(StoreException.class);
        Await.until("its connection is closed", () -> database.number("select count(*)" + WATCHING) == 0);
    }
}
