package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** Events are published once their commit is on a standby's disk. */
class WaitForReplicaTest extends JournalFixture {
    private static final Actor ANNA = new Actor("anna", "a test");

    private static final RelayName AGAIN = new RelayName("again");

    WaitForReplicaTest() {
        super(JournalDatabase.create(PostgresServer.start(Map.of("wal_keep_size", "256MB", "wal_level", "logical"))));
    }

    @AfterAll
    void stopServer() {
        database.server().close();
    }

    private PostgresJournal waitingFor(String... standbys) {
        return PostgresJournal.on(database.dataSource(), options().waitFor(WaitFor.replica(standbys)));
    }

    @Test
    void nothing_is_published_while_no_standby_is_connected_and_the_checkup_says_so() throws SQLException {
        appendOverItsOwnConnection("a1");
        RelaySession session = open(waitingFor());

        assertThat(drain(session)).isEmpty();
        assertThat(standbys(waitingFor()).what()).contains("no standby is connected", "publish nothing");
        assertThat(standbys(waitingFor("north")).what()).contains("not connected: north");
        assertThat(PostgresJournal.on(database.dataSource()).admin().examine())
                .noneMatch(finding -> finding.subject().equals("standbys"));
    }

    @Test
    void the_rest_of_a_window_that_was_begun_without_waiting_waits() throws SQLException {
        append("a1", "a2", "a3", "a4");
        try (RelaySession session = open()) {
            publish(session, session.claim(new Limits(2, 100_000)).orElseThrow());
        }

        assertThat(drain(open(waitingFor("nobody")))).isEmpty();
    }

    @Test
    void events_parked_without_waiting_wait() throws SQLException {
        append("a1");
        try (RelaySession session = open()) {
            session.settle(
                    session.claim(PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock().instant().plusSeconds(1), "not now")));
        }
        clock().advance(Duration.ofSeconds(2));

        assertThat(drain(open(waitingFor("nobody")))).isEmpty();
    }

    @Test
    void commits_are_published_once_they_are_on_the_standby() throws Exception {
        appendOverItsOwnConnection("a1");
        try (PostgresServer north = database.server().startFollower("north")) {
            RelaySession any = open(waitingFor());
            Await.until("a1 on the standby", () -> drain(any).contains("a1"));
            any.close();
            appendOverItsOwnConnection("a2");
            RelaySession named = open(waitingFor("north"));
            Await.until("a2 on the standby", () -> drain(named).contains("a2"));
            assertThat(standbys(waitingFor("north")).severity()).isEqualTo(Finding.Severity.FINE);
            named.close();

            appendOverItsOwnConnection("a3");
            RelaySession both = open(waitingFor("north", "south"));
            assertThat(drain(both)).as("while south has nothing").isEmpty();
            assertThat(standbys(waitingFor("north", "south")).what()).contains("not connected: south");
            both.close();

            waitingFor("north").replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
            RelaySession replay = tracked(waitingFor("north").replays().store().open(AGAIN, OWNER, LEASE))
                    .orElseThrow();
            Await.until("a3 on the standby, replayed", () -> drain(replay).contains("a3"));
            replay.close();

            north.cutOff();
            Await.until("the standby gone", () -> database.number("select count(*) from pg_stat_replication") == 0);
            appendOverItsOwnConnection("a4");
            assertThat(drain(open(waitingFor()))).isEmpty();
        }
    }

    @Test
    void a_replay_waits_too() throws Exception {
        appendOverItsOwnConnection("a1");
        PostgresJournal waiting = waitingFor("north");
        waiting.replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        RelaySession replay =
                tracked(waiting.replays().store().open(AGAIN, OWNER, LEASE)).orElseThrow();
        assertThat(drain(replay)).isEmpty();
        assertThat(drain(replay))
                .as("events claimed while no standby is connected")
                .isEmpty();
    }

    /**
     * It stores the WAL and confirms what it has flushed, as {@code pg_receivewal} and {@code pg_basebackup -X stream} do. It
     * cannot be promoted.
     */
    @ParameterizedTest
    @ValueSource(strings = {"pg_receivewal", "pg_basebackup", "north"})
    void a_receiver_of_wal_that_replays_nothing_is_not_a_standby(String name) throws Exception {
        PostgresJournal waiting = name.equals("north") ? waitingFor(name) : waitingFor();
        appendOverItsOwnConnection("a1");
        RelaySession session = open(waiting);
        assertThat(drain(session)).isEmpty();
        Connection receiving = replicationConnection("true", name);
        try (PGReplicationStream wal = receiving
                .unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .physical()
                .withStartPosition(LogSequenceNumber.valueOf(written()))
                .start()) {
            wal.setFlushedLSN(LogSequenceNumber.valueOf(written()));
            wal.forceUpdateStatus();
            awaitFlushed(written());

            assertThat(drain(session)).isEmpty();
            assertThat(standbys(waiting).severity()).isEqualTo(Finding.Severity.PROBLEM);
        }
    }

    private long written() throws SQLException {
        return database.number("select (pg_current_wal_insert_lsn() - '0/0')::bigint");
    }

    private void awaitFlushed(long written) throws SQLException {
        Await.until(
                "the reader confirmed",
                () -> database.number("select count(*) from pg_stat_replication where flush_lsn >= '0/0'::pg_lsn + "
                                + written)
                        == 1);
    }

    private Connection replicationConnection(String mode, String name) throws SQLException {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, ((PGSimpleDataSource) database.dataSource()).getUser());
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4");
        PGProperty.APPLICATION_NAME.set(properties, name);
        PGProperty.REPLICATION.set(properties, mode);
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        return tracked(DriverManager.getConnection(database.server().jdbcUrl(database.name()), properties));
    }

    /** It confirms what it has read, like change data capture. */
    @Test
    void a_reader_of_a_logical_slot_is_not_a_standby() throws Exception {
        database.execute("create publication changes for table waybill.audit");
        Connection reading = replicationConnection("database", "changes");
        try (Statement statement = reading.createStatement()) {
            statement.execute("CREATE_REPLICATION_SLOT changes TEMPORARY LOGICAL pgoutput");
        }
        appendOverItsOwnConnection("a1");
        RelaySession session = open(waitingFor());
        assertThat(drain(session)).isEmpty();
        long written = written();
        try (PGReplicationStream changes = reading.unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .logical()
                .withSlotName("changes")
                .withSlotOption("proto_version", 1)
                .withSlotOption("publication_names", "changes")
                .start()) {
            changes.setFlushedLSN(LogSequenceNumber.valueOf(written));
            changes.forceUpdateStatus();
            awaitFlushed(written);

            assertThat(drain(session)).isEmpty();
            assertThat(standbys(waitingFor()).what()).contains("no standby is connected");
        }
    }

    /** The server restarts in this test, which ends earlier connections. */
    private void appendOverItsOwnConnection(String name) throws SQLException {
        try (Connection connection = database.begin()) {
            append(connection, name);
            connection.commit();
        }
    }

    @Test
    void a_role_that_cannot_see_the_standbys_is_refused_with_the_remedy() throws SQLException {
        String role = "waiting_relay";
        database.execute("create role " + role + " login;" + JournalSchema.grants(DatabaseRoles.NONE.relay(role)));
        PostgresJournal journal =
                PostgresJournal.on(database.dataSourceAs(role), options().waitFor(WaitFor.replica()));

        assertThatThrownBy(() -> open(journal))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        "may not see the replication state of standbys", "`grant pg_read_all_stats to " + role + "`");

        database.execute("grant pg_read_all_stats to " + role);
        assertThat(drain(open(journal))).isEmpty();
    }

    @Test
    void standbys_may_be_named_only_if_the_relay_waits_for_them() {
        assertThatThrownBy(() -> new WaitFor(WaitFor.Stage.FLUSH, List.of("north")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("north", "wait for replica");
    }

    private static Finding standbys(PostgresJournal journal) {
        return journal.admin().examine().stream()
                .filter(finding -> finding.subject().equals("standbys"))
                .findFirst()
                .orElseThrow();
    }
}
