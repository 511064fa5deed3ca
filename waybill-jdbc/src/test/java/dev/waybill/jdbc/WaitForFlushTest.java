package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** An application that commits without waiting for the disk, on a server that takes its time to write. */
class WaitForFlushTest extends JournalFixture {
    WaitForFlushTest() {
        super(JournalDatabase.create(PostgresServer.start(Map.of(
                "wal_writer_delay", "10s", "bgwriter_delay", "10s", "autovacuum", "off", "checkpoint_timeout", "1h"))));
    }

    @AfterAll
    void stopServer() {
        database.server().close();
    }

    @Test
    void without_the_option_an_event_is_published_before_its_commit_is_on_disk() throws SQLException {
        RelaySession session = open();
        appendWithoutWaitingForTheDisk("a1");

        assertThat(drain(session)).containsExactly("a1");
        assertThat(isAllOnDisk()).as("otherwise this test shows nothing").isFalse();
    }

    @Test
    void with_the_option_an_event_waits_until_its_commit_is_on_disk() throws SQLException {
        RelaySession session =
                open(PostgresJournal.on(database.dataSource(), options().waitingForFlush()));
        appendWithoutWaitingForTheDisk("a1");

        assertThat(drain(session)).isEmpty();
        assertThat(isAllOnDisk()).as("otherwise this test shows nothing").isFalse();
        database.execute("create table if not exists a_commit_that_waits_for_the_disk ()");
        database.execute("drop table a_commit_that_waits_for_the_disk");
        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void with_the_option_events_of_others_come_as_soon_as_they_are_on_disk() throws SQLException {
        RelaySession session =
                open(PostgresJournal.on(database.dataSource(), options().waitingForFlush()));
        append("a1");

        assertThat(drain(session)).containsExactly("a1");
    }

    private void appendWithoutWaitingForTheDisk(String name) throws SQLException {
        try (Connection connection = begin();
                Statement statement = connection.createStatement()) {
            statement.execute("set local synchronous_commit = off");
            append(connection, name);
            connection.commit();
        }
    }

    private boolean isAllOnDisk() throws SQLException {
        return database.number("select (pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn())::int") == 1;
    }
}
