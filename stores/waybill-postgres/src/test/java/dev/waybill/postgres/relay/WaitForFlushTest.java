package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Commits with synchronous_commit = off, on a server that flushes them rarely. */
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
            // The server happened to flush just now: this attempt proves nothing.
            flush();
            drain(waiting);
        }
        throw new AssertionError(
                "The server flushed every commit at once, " + ATTEMPTS + " times: nothing was tested.");
    }

    @Test
    void commits_after_the_snapshot_wait_for_their_own_flush() throws SQLException {
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

    /** Its records are before the end of the WAL, and are not flushed: the WAL writer runs every 10 s. */
    @Test
    void an_open_transaction_does_not_delay_an_event_that_waits_for_the_flush() throws SQLException {
        RelaySession waiting = openWaiting();
        drain(waiting);
        append("a1");
        Connection open = begin();
        append(open, "b1");
        assertThat(drain(waiting)).as("the end of the WAL is not on disk").isEmpty();
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

    /** Then the next record begins after the header of a page that does not exist yet. */
    @Test
    void events_on_disk_are_published_at_once_even_if_the_wal_ends_with_a_page() throws SQLException {
        RelaySession waiting = openWaiting();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (appendToTheEndOfAPage("a" + attempt)) {
                assertThat(drain(waiting)).endsWith("a" + attempt);
                return;
            }
        }
        throw new AssertionError("The WAL did not end with a page in " + ATTEMPTS + " attempts: nothing was tested.");
    }

    /** @return whether the WAL ends there: the server may have written more meanwhile */
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

    /** @return the end of the WAL after the commit */
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

    /** A durable commit flushes everything before it. */
    private void flush() throws SQLException {
        database.execute("create table if not exists flushed (n int); insert into flushed values (1)");
    }
}
