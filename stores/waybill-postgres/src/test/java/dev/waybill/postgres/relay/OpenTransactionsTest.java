package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** An open transaction does not delay the events of others; its own are published after its commit. */
class OpenTransactionsTest extends JournalFixture {
    @Test
    void an_open_transaction_that_has_appended_delays_no_other() throws SQLException {
        RelaySession session = open();
        Connection left = begin();
        append(left, "late1");
        others_keep_coming(session);
        left.commit();
        assertThat(drain(session)).containsExactly("late1");
    }

    @Test
    void an_open_transaction_that_appends_at_its_end_delays_no_other() throws SQLException {
        RelaySession session = open();
        Connection left = begin();
        takeAnXid(left);
        others_keep_coming(session);
        append(left, "late1");
        left.commit();
        assertThat(drain(session)).containsExactly("late1");
    }

    @Test
    void an_open_transaction_that_only_reads_delays_no_other() throws SQLException {
        RelaySession session = open();
        Connection left = begin();
        left.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = left.createStatement()) {
            statement.execute("select count(*) from waybill.event");
        }
        others_keep_coming(session);
    }

    @Test
    void an_open_transaction_in_another_database_delays_no_other() throws SQLException {
        RelaySession session = open();
        String other = database.server().createDatabase("other");
        Connection left = tracked(database.server().dataSource(other).getConnection());
        left.setAutoCommit(false);
        takeAnXid(left);
        others_keep_coming(session);
    }

    @Test
    void a_prepared_transaction_delays_no_other() throws SQLException {
        RelaySession session = open();
        try (Connection left = database.begin();
                Statement statement = left.createStatement()) {
            append(left, "late1");
            statement.execute("prepare transaction 'left'");
        }
        others_keep_coming(session);
        database.execute("commit prepared 'left'");
        assertThat(drain(session)).containsExactly("late1");
    }

    private void others_keep_coming(RelaySession session) throws SQLException {
        for (int i = 1; i <= 20; i++) {
            append("b" + i, "c" + i);
            assertThat(drain(session)).containsExactly("b" + i, "c" + i);
        }
    }

    private static void takeAnXid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
    }
}
