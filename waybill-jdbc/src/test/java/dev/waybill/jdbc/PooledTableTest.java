package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A relay over an outbox table shares a pool with an application, which finds its connections as it left them. */
class PooledTableTest {
    /** Some that were set in the session, others as the server has them. */
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
    void connections_go_back_to_the_pool_as_they_came(TableDialect dialect, boolean competing) throws Exception {
        try (TableWorld world = new TableWorld(dialect, TableLayout.orders())) {
            if (competing) {
                world.with(TableOptions::competing);
            }
            Pool pool = new Pool(world.database);
            Map<String, String> before;
            try (Connection one = pool.create()) {
                before = settings(dialect, one);
            }
            String event = world.append("a");
            try (RelaySession session = open(world, pool)) {
                assertThat(TableWorld.drain(session)).containsExactly(event);
                assertThat(session.renew()).isTrue();
                assertThat(pool.all)
                        .allSatisfy(used -> assertThat(settings(dialect, used)).isNotEqualTo(before));
            }
            world.store(pool.dataSource()).admin().relays();

            assertThat(pool.free).hasSameElementsAs(pool.all).isNotEmpty();
            assertThat(pool.free)
                    .allSatisfy(back -> assertThat(settings(dialect, back)).isEqualTo(before));
            pool.close();
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_connection_that_does_not_take_its_settings_back_is_ended(TableDialect dialect) throws Exception {
        try (TableWorld world = new TableWorld(dialect, TableLayout.orders())) {
            Pool pool = new Pool(world.database);
            RelaySession session = open(world, pool);
            assertThat(session.renew()).isTrue();
            pool.failing = true;
            session.close();

            assertThat(pool.all)
                    .hasSize(2)
                    .allSatisfy(used -> assertThat(used.isClosed()).isTrue());
        }
    }

    private static RelaySession open(TableWorld world, Pool pool) {
        return world.store(pool.dataSource())
                .open(TableWorld.RELAY, new OwnerId("one"), TableWorld.LEASE)
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
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return settings;
    }

    /** Gives connections as the application uses them, and puts nothing back itself. */
    private static final class Pool {
        private final LayoutDatabase database;
        private final ConcurrentLinkedDeque<Connection> free = new ConcurrentLinkedDeque<>();
        private final List<Connection> all = new CopyOnWriteArrayList<>();
        private volatile boolean failing;

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
            connection.setAutoCommit(false);
            return connection;
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

        void close() throws SQLException {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }
}
