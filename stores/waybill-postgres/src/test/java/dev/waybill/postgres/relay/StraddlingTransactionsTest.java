package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Transactions that are open when a base is taken. */
class StraddlingTransactionsTest extends JournalFixture {
    @Test
    void the_first_event_is_published_although_the_empty_journal_was_polled_before() throws SQLException {
        RelaySession session = open();
        findNothing(session);

        append("a1");

        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void a_transaction_above_the_base_because_none_after_it_has_ended_is_not_lost() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        append(straddler, "a1");

        findNothing(session);
        assertThat(xmaxOfASnapshot()).isLessThanOrEqualTo(xid(straddler));
        straddler.commit();

        assertThat(drain(session)).containsExactly("a1");
        assertThat(drain(session)).isEmpty();
    }

    @Test
    void a_transaction_above_the_base_that_appends_after_it_is_not_lost() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        long xid = xid(straddler);

        findNothing(session);
        assertThat(xmaxOfASnapshot()).isLessThanOrEqualTo(xid);
        append(straddler, "a1");
        straddler.commit();

        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void a_transaction_above_the_base_precedes_events_appended_after_its_commit() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        append(straddler, "a1");
        findNothing(session);

        straddler.commit();
        append("a2");

        assertThat(drain(session, new Limits(1, 1_000))).containsExactly("a1", "a2");
    }

    @Test
    void a_transaction_in_the_bases_list_is_not_lost_and_delays_no_other() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        append(straddler, "a1");
        append("b1");

        assertThat(drain(session)).containsExactly("b1");
        assertThat(xmaxOfASnapshot()).isGreaterThan(xid(straddler));
        straddler.commit();
        append("a2", "b2");

        assertThat(drain(session)).containsExactly("a1", "a2", "b2");
    }

    @Test
    void a_transaction_with_an_old_xid_that_appends_after_many_windows_is_not_lost() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        xid(straddler);
        for (int i = 1; i <= 20; i++) {
            append("b" + i);
            assertThat(drain(session)).containsExactly("b" + i);
        }

        append(straddler, "a1");
        append("b21");
        assertThat(drain(session)).containsExactly("b21");
        straddler.commit();

        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void many_transactions_across_many_windows_are_published_once_each() throws SQLException {
        RelaySession session = open();
        List<Connection> straddlers = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            straddlers.add(begin());
            append(straddlers.get(i), "s" + i);
            append("b" + i);
            assertThat(drain(session)).containsExactly("b" + i);
        }
        for (int i = 79; i >= 0; i -= 2) {
            straddlers.get(i).commit();
            straddlers.get(i - 1).rollback();
            assertThat(drain(session)).containsExactly("s" + i);
        }
        assertThat(drain(session)).isEmpty();
    }

    @Test
    void several_late_transactions_of_a_window_are_merged_with_fresh_events_by_seq() throws SQLException {
        RelaySession session = open();
        Connection one = begin();
        Connection two = begin();
        append(one, "a1");
        append("x1");
        assertThat(drain(session)).containsExactly("x1");
        append(two, "b1");
        append(one, "a2");
        append("x2");
        append(two, "b2");
        two.commit();
        append("x3");
        one.commit();

        assertThat(drain(session, new Limits(2, 1_000))).containsExactly("a1", "b1", "a2", "x2", "b2", "x3");
    }

    @Test
    void a_session_that_takes_over_in_a_window_with_late_transactions_continues_after_the_settled_events()
            throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        append(straddler, "a1", "a2");
        append("x1");
        assertThat(drain(session)).containsExactly("x1");
        append(straddler, "a3");
        append("x2");
        straddler.commit();

        publish(session, session.claim(new Limits(2, 1_000)).orElseThrow());
        session.close();

        assertThat(drain(open())).containsExactly("a3", "x2");
    }

    @Test
    void a_release_in_a_window_with_late_transactions_returns_the_rest_again() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        append(straddler, "a1", "a2");
        append("x1");
        assertThat(drain(session)).containsExactly("x1");
        append("x2");
        straddler.commit();

        Batch batch = session.claim(PLENTY).orElseThrow();
        assertThat(names(batch)).containsExactly("a1", "a2", "x2");
        session.settle(batch, List.of(Settlement.PUBLISHED, Settlement.RELEASED, Settlement.RELEASED));

        assertThat(drain(session)).containsExactly("a2", "x2");
    }

    @Test
    void a_prepared_transaction_is_published_only_if_it_commits() throws SQLException {
        RelaySession session = open();
        prepare("committed", "a1");
        prepare("rolled back", "b1");
        append("x1");
        assertThat(drain(session)).containsExactly("x1");
        assertThat(drain(session)).isEmpty();

        database.execute("rollback prepared 'rolled back'");
        database.execute("commit prepared 'committed'");
        append("a2", "b2");

        assertThat(drain(session)).containsExactly("a1", "a2", "b2");
    }

    private void prepare(String gid, String name) throws SQLException {
        try (Connection connection = database.begin();
                Statement statement = connection.createStatement()) {
            append(connection, name);
            statement.execute("prepare transaction '" + gid + "'");
        }
    }

    @Test
    void events_appended_under_savepoints_are_published_unless_rolled_back() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        Savepoint kept = straddler.setSavepoint();
        append(straddler, "a1");
        straddler.releaseSavepoint(kept);
        Savepoint undone = straddler.setSavepoint();
        append(straddler, "a2");
        append("x1");
        assertThat(drain(session)).containsExactly("x1");
        straddler.rollback(undone);
        append(straddler, "a3");
        straddler.commit();

        assertThat(drain(session)).containsExactly("a1", "a3");
    }

    @Test
    void more_subtransactions_than_the_server_keeps_in_memory_are_published() throws SQLException {
        RelaySession session = open();
        Connection straddler = begin();
        List<String> names = IntStream.range(0, 100).mapToObj(i -> "a" + i).toList();
        for (String name : names) {
            straddler.setSavepoint();
            append(straddler, name);
            append("x" + name);
            assertThat(drain(session)).containsExactly("x" + name);
        }
        straddler.commit();

        assertThat(drain(session)).isEqualTo(names);
    }

    /** Polls more than once: a base's floor is that of the previous poll, and must be above what was appended so far. */
    private static void findNothing(RelaySession session) {
        for (int i = 0; i < 3; i++) {
            assertThat(session.claim(PLENTY)).isEmpty();
        }
    }

    private static long xid(Connection transaction) throws SQLException {
        try (Statement statement = transaction.createStatement();
                ResultSet row = statement.executeQuery("select pg_current_xact_id()::text::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The xmax of a snapshot taken now. */
    private long xmaxOfASnapshot() throws SQLException {
        return database.number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }
}
