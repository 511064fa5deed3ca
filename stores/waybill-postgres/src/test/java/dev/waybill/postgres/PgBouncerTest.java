package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PgBouncer;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal behind a real PgBouncer. */
class PgBouncerTest extends JournalFixture {
    /** Settings of a session that differ from the defaults of the server. */
    private static final String SETTINGS = """
            select name || ' = ' || setting from pg_settings
             where source = 'session' and name not in ('DateStyle', 'TimeZone', 'client_encoding', 'application_name',
                                                       'standard_conforming_strings')""";

    @BeforeAll
    static void requirePgBouncer() {
        assumeTrue(PgBouncer.isInstalled(), "PgBouncer is not installed: ./install-servers installs it as root");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transaction_mode_is_refused_and_the_shared_server_sessions_are_unchanged(boolean driverKnown)
            throws SQLException {
        append("a1");
        try (PgBouncer pooler = PgBouncer.start(database.server(), PgBouncer.Mode.TRANSACTION)) {
            DataSource shared = pooler.dataSource(database.name());

            assertThatThrownBy(() -> open(PostgresJournal.on(driverKnown ? shared : unknown(shared), options())))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContainingAll("pools connections by transaction", "session mode");

            assertThat(settingsOfAllServerSessions(shared)).isEmpty();
        }
        assertThat(database.number("select count(*) from waybill.relay")).isZero();
    }

    @Test
    void transaction_mode_with_other_clients_is_refused_too() throws SQLException {
        try (PgBouncer pooler = PgBouncer.start(database.server(), PgBouncer.Mode.TRANSACTION)) {
            DataSource shared = pooler.dataSource(database.name());
            Connection busy = tracked(shared.getConnection());
            busy.setAutoCommit(false);
            run(busy, "select 1");

            assertThatThrownBy(() -> open(PostgresJournal.on(shared, options())))
                    .isInstanceOf(StoreRefusedException.class);

            busy.rollback();
            busy.setAutoCommit(true);
            assertThat(settingsOfAllServerSessions(shared)).isEmpty();
        }
    }

    @Test
    void session_mode_works_and_restores_its_server_sessions() throws SQLException {
        append("a1", "b1");
        try (PgBouncer pooler = PgBouncer.start(database.server(), PgBouncer.Mode.SESSION)) {
            DataSource own = pooler.dataSource(database.name());
            RelaySession session = open(PostgresJournal.on(own, options()));
            assertThat(drain(session)).containsExactly("a1", "b1");
            assertThat(session.renew()).isTrue();
            append("a2");
            assertThat(drain(session)).containsExactly("a2");
            session.close();

            assertThat(settingsOfAllServerSessions(own)).isEmpty();
        }
    }

    /** A data source whose connections cannot be unwrapped to those of PostgreSQL's driver. */
    private static DataSource unknown(DataSource known) {
        return (DataSource) Proxy.newProxyInstance(
                PgBouncerTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    Connection connection = known.getConnection();
                    return Proxy.newProxyInstance(
                            PgBouncerTest.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (wrapped, called, values) -> {
                                if (called.getName().equals("isWrapperFor")) {
                                    return false;
                                }
                                try {
                                    return called.invoke(connection, values);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
                });
    }

    /** Opens as many transactions as the pool has sessions, to inspect each of them. */
    private static List<String> settingsOfAllServerSessions(DataSource pooler) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<String> settings = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                Connection connection = pooler.getConnection();
                all.add(connection);
                connection.setAutoCommit(false);
                settings.addAll(run(connection, SETTINGS));
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return settings;
    }

    private static List<String> run(Connection connection, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                texts.add(row.getString(1));
            }
        }
        return texts;
    }
}
