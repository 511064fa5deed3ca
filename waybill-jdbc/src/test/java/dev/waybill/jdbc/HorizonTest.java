package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** A transaction that somebody left open holds nobody up. */
class HorizonTest extends JournalFixture {
    private static final int WINDOWS = 30;

    @Test
    void events_keep_coming_while_a_transaction_with_an_xid_stays_open() throws SQLException {
        leaveOpen(database, "select pg_current_xact_id()");
        requireFlow();
    }

    @Test
    void events_keep_coming_while_one_that_appended_stays_open() throws SQLException {
        Connection open = begin();
        append(open, "open1");
        RelaySession session = requireFlow();
        open.commit();

        assertThat(drain(session)).containsExactly("open1");
    }

    @Test
    void events_keep_coming_while_one_in_another_database_stays_open() throws SQLException {
        JournalDatabase other = JournalDatabase.withoutJournal();
        leaveOpen(other, "create table t (n int)");
        requireFlow();
    }

    @Test
    void events_keep_coming_while_a_reader_keeps_its_snapshot() throws SQLException {
        leaveOpen(database, "set transaction isolation level repeatable read; select count(*) from waybill.event");
        requireFlow();
    }

    @Test
    void events_keep_coming_while_a_prepared_transaction_waits() throws SQLException {
        try (Connection connection = database.begin();
                Statement statement = connection.createStatement()) {
            append(connection, "prepared1");
            statement.execute("prepare transaction 'left behind'");
        }
        RelaySession session = requireFlow();
        database.execute("commit prepared 'left behind'");

        assertThat(drain(session)).containsExactly("prepared1");
    }

    private void leaveOpen(JournalDatabase where, String sql) throws SQLException {
        Connection connection = tracked(where.begin());
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        append("before1");
    }

    private RelaySession requireFlow() throws SQLException {
        RelaySession session = open();
        drain(session);
        for (int i = 0; i < WINDOWS; i++) {
            append("a" + i, "b" + i);
            assertThat(drain(session)).containsExactly("a" + i, "b" + i);
        }
        return session;
    }
}
