package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.Inbox;
import dev.waybill.Incoming;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A relay shares a pool with an application, which finds the settings of its connections unchanged. */
class PooledTableTest {
    /** Some settings were changed in the session, others have the server's defaults. */
    private static final Map<TableDialect, String> OF_THE_APPLICATION = Map.of(
            TableDialect.POSTGRESQL,
            "set statement_timeout = '7s'; set synchronous_commit = local; set enable_hashjoin = off",
            TableDialect.MARIADB,
            "set session time_zone = '+02:00', session tx_isolation = 'SERIALIZABLE', session innodb_lock_wait_timeout = 7",
            TableDialect.H2,
            "set lock_timeout 7000");

    private static final Map<TableDialect, String> SETTINGS = Map.of(
            TableDialect.POSTGRESQL,
            "select name, setting || ' (' || source || ')' from pg_settings where name not like 'transaction\\_%'",
            TableDialect.MARIADB,
            """
            show session variables where variable_name not in ('timestamp', 'pseudo_thread_id', 'last_insert_id', 'identity',
                'rand_seed1', 'rand_seed2', 'error_count', 'warning_count', 'in_transaction', 'last_gtid', 'insert_id')
                and variable_name not like 'gtid%' and variable_name not like 'innodb_buffer%'""",
            TableDialect.H2,
            "select 'lock_timeout', lock_timeout()");

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of(Arguments.of(dialect, false), Arguments.of(dialect, true)));
    }

    @ParameterizedTest(name = "{0}, competing: {1}")
    @MethodSource("everywhere")
    void connections_return_to_the_pool_with_their_settings(TableDialect dialect, boolean competing) throws Exception {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.orders())) {
            if (competing) {
                fixture.with(options -> options.claiming(TableOptions.Claiming.COMPETING));
            }
            Pool pool = new Pool(fixture.database);
            Map<String, String> before = pool.asNew();
            String event = fixture.append("a");
            try (RelaySession session = open(fixture, pool)) {
                assertThat(TableFixture.drain(session)).containsExactly(event);
                assertThat(session.renew()).isTrue();
                assertThat(pool.all)
                        .allSatisfy(used -> assertThat(settings(dialect, used)).isNotEqualTo(before));
            }
            fixture.store(pool.dataSource()).admin().relays();

            pool.requireAllBack(before);
        }
    }

    private static JdbcInbox inboxIn(LayoutDatabase database) throws SQLException {
        try (Connection connection = database.connect()) {
            JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
            inbox.create(connection);
            return inbox;
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void connections_of_admin_queries_return_with_their_settings(TableDialect dialect) throws Exception {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        JdbcInbox inbox = inboxIn(database);
        // The layout has nullable columns, whose nulls are counted.
        try (TableFixture fixture = new TableFixture(database, TableLayout.orders())) {
            fixture.execute(
                    dialect == TableDialect.MARIADB
                            ? "alter table {table} modify {created_at} datetime(6) null"
                            : "alter table {table} alter column {created_at} drop not null");
            Pool pool = new Pool(fixture.database);
            Map<String, String> before = pool.asNew();

            assertThat(inbox.examine(pool.dataSource())).isNotEmpty();
            pool.requireAllBack(before);

            Pool another = new Pool(fixture.database);
            assertThat(fixture.store(another.dataSource()).admin().examine()).isNotEmpty();
            another.requireAllBack(before);
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void connections_of_consumers_return_with_their_settings_after_commit_and_rollback(TableDialect dialect)
            throws Exception {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        JdbcInbox inbox = inboxIn(database);
        for (boolean autoCommit : new boolean[] {false, true}) {
            Pool pool = new Pool(database);
            pool.autoCommit = autoCommit;
            Map<String, String> before = pool.asNew();
            JdbcTransactions transactions = JdbcTransactions.on(pool.dataSource());
            Incoming event = Incoming.event("e-" + autoCommit);

            assertThatThrownBy(() -> transactions.call(open -> inbox.handleOnce(open, "billing", event, in -> {
                        throw new IllegalStateException("no");
                    })))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(transactions.<Inbox.Outcome, RuntimeException>call(
                            open -> inbox.handleOnce(open, "billing", event, in -> {})))
                    .isEqualTo(Inbox.Outcome.HANDLED);

            pool.requireAllBack(before);
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_connection_whose_settings_cannot_be_restored_is_closed(TableDialect dialect) throws Exception {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.orders())) {
            Pool pool = new Pool(fixture.database);
            RelaySession session = open(fixture, pool);
            assertThat(session.renew()).isTrue();
            pool.failing = true;
            session.close();

            assertThat(pool.all)
                    .hasSize(2)
                    .allSatisfy(used -> assertThat(used.isClosed()).isTrue());
        }
    }

    /** Hikari checks whether a connection is alive only if it was not in use recently. */
    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void hikari_does_not_reuse_a_closed_connection(TableDialect dialect) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(LayoutDatabase.create(dialect).dataSource());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            BorrowedConnection.drop(pool.getConnection());
            try (Connection next = pool.getConnection();
                    Statement statement = next.createStatement()) {
                assertThat(statement.execute("select 1")).isTrue();
            }
        }
    }

    private static RelaySession open(TableFixture fixture, Pool pool) {
        return fixture.store(pool.dataSource())
                .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                .orElseThrow();
    }

    private static Map<String, String> settings(TableDialect dialect, Connection connection) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        settings.put("autocommit", String.valueOf(connection.getAutoCommit()));
        settings.put("read only", String.valueOf(connection.isReadOnly()));
        settings.put("network timeout", String.valueOf(connection.getNetworkTimeout()));
        settings.put("isolation", String.valueOf(connection.getTransactionIsolation()));
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SETTINGS.get(dialect))) {
            while (row.next()) {
                settings.put(row.getString(1), row.getString(2));
            }
            settings.put("query timeout", String.valueOf(statement.getQueryTimeout()));
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return settings;
    }

    /** Returns connections without restoring anything itself. */
    private static final class Pool {
        private final LayoutDatabase database;
        private final ConcurrentLinkedDeque<Connection> free = new ConcurrentLinkedDeque<>();
        private final List<Connection> all = new CopyOnWriteArrayList<>();
        private volatile boolean failing;
        private boolean autoCommit;

        Pool(LayoutDatabase database) {
            this.database = database;
        }

        DataSource dataSource() {
            return (DataSource) Proxy.newProxyInstance(
                    Pool.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (self, method, arguments) ->
                            method.getName().equals("getConnection") ? take() : self == arguments[0]);
        }

        private Connection create() throws SQLException {
            Connection connection = database.connect();
            if (database.dialect() == TableDialect.H2) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(OF_THE_APPLICATION.get(database.dialect()));
            }
            connection.setNetworkTimeout(Runnable::run, 5_000);
            connection.setAutoCommit(autoCommit);
            return connection;
        }

        private Map<String, String> asNew() throws SQLException {
            try (Connection one = create()) {
                return settings(database.dialect(), one);
            }
        }

        /** All were returned with unchanged settings. */
        private void requireAllBack(Map<String, String> before) throws SQLException {
            assertThat(free).hasSameElementsAs(all).isNotEmpty();
            assertThat(free)
                    .allSatisfy(back ->
                            assertThat(settings(database.dialect(), back)).isEqualTo(before));
            for (Connection connection : all) {
                connection.close();
            }
        }

        private Connection take() throws SQLException {
            Connection known = free.poll();
            Connection physical = known == null ? create() : known;
            if (known == null) {
                all.add(physical);
            }
            return (Connection) Proxy.newProxyInstance(
                    Pool.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            free.push(physical);
                            return null;
                        }
                        if (failing
                                && method.getReturnType() != void.class
                                && method.getName().contains("Statement")) {
                            throw new SQLException("injected: no statement");
                        }
                        try {
                            return method.invoke(physical, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
