package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Commits with synchronous_commit = off, on a server that writes them to disk only now and then. */
class WaitForFlushTest extends JournalFixture {
    private static final int ATTEMPTS = 20;
    private static final int PAGE = 8_192;
    private static final int COMMIT_RECORD = 40;
    private static final int EMPTY_RECORD = 56;

    WaitForFlushTest() {
        super(JournalDatabase.create(PostgresServer.start(Map.of("wal_writer_delay", "10s", "autovacuum", "off"))));
    }

    @AfterAll
    void stopServer() {
        database.server().close();
    }

    @Test
    void an_event_is_claimed_before_its_commit_is_on_disk_unless_the_relay_waits_for_that() throws SQLException {
        RelaySession hasty = open();
        RelaySession waiting = openWaiting();

        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long written = appendUnflushed("a" + attempt);
            boolean claimedByWaiting = waiting.claim(PLENTY).isPresent();
            assertThat(drain(hasty)).containsExactly("a" + attempt);
            if (!isFlushed(written)) {
                assertThat(claimedByWaiting).isFalse();
                flush();
                assertThat(drain(waiting)).endsWith("a" + attempt);
                return;
            }
            // The server happened to flush just now: that attempt tells nothing.
            flush();
            drain(waiting);
        }
        throw new AssertionError(
                "The server flushed every commit at once, " + ATTEMPTS + " times: nothing was tested.");
    }

    @Test
    void what_was_committed_after_the_snapshot_waits_for_its_own_flush() throws SQLException {
        RelaySession waiting = openWaiting();
        append("a1");
        long first = appendUnflushed("a2");
        boolean early = waiting.claim(PLENTY).isPresent();
        long second = appendUnflushed("a3");
        assertThat(early && !isFlushed(first)).isFalse();
        flush();

        assertThat(isFlushed(second)).isTrue();
        assertThat(drain(waiting)).endsWith("a3");
    }

    /** Its records lie before the end of the log, and nobody flushes them: the server's own writer comes after 10 s. */
    @Test
    void an_open_transaction_does_not_hold_an_event_up() throws SQLException {
        RelaySession waiting = openWaiting();
        drain(waiting);
        append("a1");
        Connection open = begin();
        append(open, "b1");
        assertThat(drain(waiting)).as("the log has an end that is not on disk").isEmpty();
        clock().advance(Duration.ofSeconds(1));

        assertThat(waiting.claim(PLENTY)).as("makes the server flush").isEmpty();
        assertThat(drain(waiting)).containsExactly("a1");
    }

    @Test
    void a_session_makes_the_server_flush_once_for_each_snapshot() throws SQLException {
        RelaySession waiting =
                open(PostgresJournal.on(database.dataSource(), options().waitFor(WaitFor.replica("nobody"))));
        append("a1");
        for (int i = 0; i < 5; i++) {
            assertThat(drain(waiting)).isEmpty();
            clock().advance(Duration.ofSeconds(1));
        }
        String before = database.texts("select xmin::text from waybill.relay where name = 'relay'")
                .get(0);
        assertThat(drain(waiting)).isEmpty();
        clock().advance(Duration.ofSeconds(1));
        assertThat(drain(waiting)).isEmpty();

        assertThat(database.texts("select xmin::text from waybill.relay where name = 'relay'"))
                .containsExactly(before);
    }

    /** There the next record is to begin after the header of a page that does not exist yet. */
    @Test
    void what_is_on_disk_comes_at_once_also_when_the_log_ends_with_a_page() throws SQLException {
        RelaySession waiting = openWaiting();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (appendToTheEndOfAPage("a" + attempt)) {
                assertThat(drain(waiting)).endsWith("a" + attempt);
                return;
            }
        }
        throw new AssertionError("The log never ended with a page, " + ATTEMPTS + " times: nothing was tested.");
    }

    /** @return whether the log really ends there: the server may have written something of its own meanwhile */
    private boolean appendToTheEndOfAPage(String name) throws SQLException {
        try (Connection connection = database.begin();
                Statement statement = connection.createStatement()) {
            append(connection, name);
            long room = PAGE - COMMIT_RECORD - lsn(statement, "insert") % PAGE;
            while (room > 300) {
                fill(statement, 200);
                room = PAGE - COMMIT_RECORD - lsn(statement, "insert") % PAGE;
            }
            fill(statement, Math.max(0, room - EMPTY_RECORD));
            connection.commit();
            return lsn(statement, "flush") % PAGE == 0;
        }
    }

    private static void fill(Statement statement, long bytes) throws SQLException {
        statement.execute("select pg_logical_emit_message(false, '', repeat('x', " + bytes + "))");
    }

    private static long lsn(Statement statement, String which) throws SQLException {
        try (ResultSet row = statement.executeQuery("select (pg_current_wal_" + which + "_lsn() - '0/0')::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }

    private RelaySession openWaiting() {
        return tracked(PostgresJournal.on(database.dataSource(), options().waitFor(WaitFor.FLUSH))
                        .open(new RelayName("waiting"), OWNER, LEASE))
                .orElseThrow();
    }

    /** @return where the log ended after the commit */
    private long appendUnflushed(String name) throws SQLException {
        try (Connection connection = database.begin();
                Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = off");
            append(connection, name);
            connection.commit();
            try (ResultSet row = statement.executeQuery("select (pg_current_wal_insert_lsn() - '0/0')::bigint")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private boolean isFlushed(long written) throws SQLException {
        return database.number("select (pg_current_wal_flush_lsn() - '0/0')::bigint") >= written;
    }

    /** A durable commit takes everything before it along. */
    private void flush() throws SQLException {
        database.execute("create table if not exists flushed (n int); insert into flushed values (1)");
    }
}
