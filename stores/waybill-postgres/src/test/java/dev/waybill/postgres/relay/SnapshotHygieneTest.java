package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots are correct only under certain settings, which the session enforces. */
class SnapshotHygieneTest extends JournalFixture {
    private static final String UNTOUCHED = "3:3:";

    // ---- settings of a data source

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set session characteristics as transaction isolation level repeatable read",
                "set session characteristics as transaction isolation level serializable",
                "set session characteristics as transaction read only",
                "set default_transaction_isolation = 'repeatable read'",
                "set synchronous_commit = off"
            })
    void settings_that_would_invalidate_snapshots_or_saves_are_overridden(String setting) throws SQLException {
        requireWorking(connection -> execute(connection, setting));
    }

    @Test
    void settings_made_by_a_pool_are_overridden() throws SQLException {
        requireWorking(connection -> connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ));
        requireWorking(connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
        requireWorking(connection -> connection.setReadOnly(true));
        requireWorking(connection -> connection.setAutoCommit(false));
    }

    private interface Preparation {
        void prepare(Connection connection) throws SQLException;
    }

    /** Also parks, which is written in a transaction. */
    private void requireWorking(Preparation preparation) throws SQLException {
        emptyJournal();
        List<Connection> given = new ArrayList<>();
        RelaySession session = open(PostgresJournal.on(watched(given, preparation), options()));
        assertThat(drain(session)).isEmpty();
        append("a1");
        assertThat(drain(session)).containsExactly("a1");
        append("b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        session.settle(batch, List.of(new Settlement.RetryAt(clock().instant(), "again")));
        append("a2");
        assertThat(drain(session)).containsExactly("b1", "a2");
        assertThat(show(given.get(0), "synchronous_commit")).isEqualTo("on");
        session.close();
    }

    // ---- the connection between two calls

    @Test
    void the_session_leaves_its_connection_in_autocommit_and_without_an_xid() throws SQLException {
        List<Connection> given = new ArrayList<>();
        RelaySession session = open(PostgresJournal.on(watched(given, connection -> {}), options()));
        requireClean(given);
        append("a1", "b1", "c1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        requireClean(given);
        session.settle(
                batch,
                List.of(
                        new Settlement.RetryAt(clock().instant(), "again"),
                        new Settlement.Dead("never", true, true),
                        Settlement.PUBLISHED));
        requireClean(given);
        session.renew();
        clock().advance(Duration.ofSeconds(1));
        assertThat(drain(session)).containsExactly("a1");
        requireClean(given);
    }

    private static void requireClean(List<Connection> given) throws SQLException {
        assertThat(given).isNotEmpty();
        for (Connection connection : given) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(show(connection, "transaction_isolation")).isEqualTo("read committed");
        }
    }

    @Test
    void a_snapshot_inside_a_transaction_that_has_an_xid_is_refused() throws SQLException {
        requireRefusedAfter(connection -> {
            connection.setAutoCommit(false);
            execute(connection, "select pg_current_xact_id()");
        });
    }

    @Test
    void a_snapshot_under_repeatable_read_is_refused() throws SQLException {
        requireRefusedAfter(connection ->
                execute(connection, "set session characteristics as transaction isolation level repeatable read"));
    }

    private void requireRefusedAfter(Preparation preparation) throws SQLException {
        List<Connection> given = new ArrayList<>();
        RelaySession session = open(PostgresJournal.on(watched(given, connection -> {}), options()));
        assertThat(drain(session)).isEmpty();
        append("a1");
        preparation.prepare(given.get(0));

        assertThatThrownBy(() -> session.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("Relay relay", "clean snapshots", "a DataSource of its own");
        assertThat(savedBase()).isEqualTo(UNTOUCHED);
        given.get(0).close();
        session.close();
        assertThat(drain(open())).containsExactly("a1");
    }

    // ---- poolers

    @Test
    void a_pooler_that_swaps_connections_is_refused_and_nothing_is_saved() throws SQLException {
        TransactionPooler pooler = TransactionPooler.swappingAlways(database.dataSource());
        pooler.servers().forEach(this::tracked);
        append("a1");

        assertThatThrownBy(() -> open(PostgresJournal.on(pooler.dataSource(), options())))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        "moved from server process", "pools connections by transaction", "session mode");

        assertThat(database.number("select count(*) from waybill.relay")).isZero();
    }

    @Test
    void a_connection_that_was_swapped_before_a_save_is_refused_and_nothing_is_saved() throws SQLException {
        TransactionPooler pooler = TransactionPooler.swappingWhenTold(database.dataSource());
        pooler.servers().forEach(this::tracked);
        append("a1");
        RelaySession session = open(PostgresJournal.on(pooler.dataSource(), options()));
        Batch batch = session.claim(PLENTY).orElseThrow();
        clock().advance(Duration.ofSeconds(1));

        pooler.swap();

        assertThatThrownBy(() -> publish(session, batch))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("moved from server process", "pools connections by transaction");
        session.close();
        assertThat(savedBase()).isEqualTo(UNTOUCHED);
        assertThat(drain(open())).containsExactly("a1");
    }

    @Test
    void a_connection_that_was_swapped_between_two_claims_is_refused() throws SQLException {
        TransactionPooler pooler = TransactionPooler.swappingWhenTold(database.dataSource());
        pooler.servers().forEach(this::tracked);
        RelaySession session = open(PostgresJournal.on(pooler.dataSource(), options()));
        append("a1");
        assertThat(drain(session)).containsExactly("a1");
        append("a2");

        pooler.swap();

        assertThatThrownBy(() -> session.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("moved from server process");
    }

    // ---- standbys

    @Test
    void a_standby_is_refused_with_the_remedy() {
        try (PostgresServer primary = PostgresServer.start()) {
            JournalDatabase journal = JournalDatabase.create(primary);
            try (PostgresServer standby = primary.startStandby()) {
                assertThatThrownBy(() -> PostgresJournal.on(standby.dataSource(journal.name()))
                                .open(RELAY, OWNER, LEASE))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContainingAll("Relay relay", "standby", "targetServerType=primary");
            }
        }
    }

    // ---- helpers

    /** A data source that prepares each connection like this. */
    private DataSource watched(List<Connection> given, Preparation preparation) {
        DataSource real = database.dataSource();
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    Connection connection = tracked(real.getConnection());
                    preparation.prepare(connection);
                    given.add(connection);
                    return connection;
                });
    }

    private String savedBase() throws SQLException {
        return database.texts("select base::text from waybill.relay").get(0);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("show " + setting)) {
            row.next();
            return row.getString(1);
        }
    }
}
