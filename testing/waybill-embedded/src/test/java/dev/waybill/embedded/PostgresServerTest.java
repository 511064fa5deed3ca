package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresServerTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of("work_mem", "8MB", "fsync", "off", "application_name", "it's a test"));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void commits_are_durable_whatever_the_settings() throws SQLException {
        assertThat(setting("fsync")).isEqualTo("on");
        assertThat(setting("synchronous_commit")).isEqualTo("on");
        assertThat(setting("full_page_writes")).isEqualTo("on");
    }

    @Test
    void it_is_PostgreSQL_18_with_room_for_many_transactions() throws SQLException {
        assertThat(setting("server_version")).startsWith("18.");
        assertThat(setting("max_connections")).isEqualTo("300");
        assertThat(setting("max_prepared_transactions")).isEqualTo("100");
    }

    @Test
    void each_server_has_its_own_identity() throws SQLException {
        String identity = "select system_identifier from pg_control_system()";
        try (PostgresServer other = PostgresServer.start();
                Connection connection = other.dataSource("postgres").getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(identity)) {
            row.next();

            assertThat(row.getString(1)).isNotEqualTo(query("postgres", identity));
        }
    }

    @Test
    void extra_settings_are_kept_over_a_restart() throws SQLException {
        server.stopImmediately();
        server.restart();

        assertThat(setting("work_mem")).isEqualTo("8MB");
        assertThat(setting("fsync")).isEqualTo("on");
        assertThat(setting("synchronous_commit")).isEqualTo("on");
        assertThat(setting("listen_addresses")).isEqualTo("127.0.0.1");
    }

    @Test
    void what_was_committed_survives_an_immediate_stop_and_the_rest_does_not() throws SQLException {
        String database = server.createDatabase("survives");
        execute(database, "create table t (n int)");
        execute(database, "insert into t values (1)");
        try (Connection open = server.dataSource(database).getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("insert into t values (2)");
            long pid = server.postmasterPid();

            server.stopImmediately();

            assertThat(ProcessHandle.of(pid).filter(Postmaster::isRunning)).isEmpty();
            assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(server::postmasterPid).hasMessageContaining("restart()");
        server.restart();

        assertThat(query(database, "select string_agg(n::text, ',') from t")).isEqualTo("1");
    }

    @Test
    void it_listens_on_loopback_and_nowhere_else() throws IOException, SQLException {
        assertThat(setting("listen_addresses")).isEqualTo("127.0.0.1");
        assertThat(setting("unix_socket_directories")).isEmpty();
        try (Socket loopback = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            assertThat(loopback.isConnected()).isTrue();
        }
        assertThat(NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(address -> !address.isLoopbackAddress()))
                .allSatisfy(
                        address -> assertThatThrownBy(() -> connectTo(address)).isInstanceOf(IOException.class));
    }

    private static void connectTo(InetAddress address) throws IOException {
        new Socket(address, server.port()).close();
    }

    @Test
    void closing_ends_the_process_and_removes_the_directory() throws SQLException {
        PostgresServer other = PostgresServer.start();
        long pid = other.postmasterPid();
        Path data = Path.of(query(other, "postgres", "show data_directory"));
        assertThat(data).isDirectory();

        other.close();
        other.close();

        assertThat(ProcessHandle.of(pid).filter(Postmaster::isRunning)).isEmpty();
        assertThat(data).doesNotExist();
        assertThat(data.getParent()).doesNotExist();
    }

    @Test
    void a_standby_has_what_was_committed_and_stays_in_recovery_while_the_primary_goes_on() throws SQLException {
        String database = server.createDatabase("standby");
        execute(database, "create table t (n int)");
        execute(database, "insert into t values (1)");
        Path data;
        try (PostgresServer standby = server.startStandby()) {
            execute(database, "insert into t values (2)");

            assertThat(query(standby, database, "select pg_is_in_recovery()")).isEqualTo("t");
            assertThat(query(standby, database, "select string_agg(n::text, ',') from t"))
                    .isEqualTo("1");
            assertThatThrownBy(() -> query(standby, database, "insert into t values (3) returning n"))
                    .hasMessageContaining("read-only");
            assertThat(standby.port()).isNotEqualTo(server.port());
            data = Path.of(query(standby, "postgres", "show data_directory"));
        }
        assertThat(data.getParent()).doesNotExist();
        assertThat(query(database, "select string_agg(n::text, ',') from t")).isEqualTo("1,2");
    }

    @Test
    void every_database_is_a_new_one() throws SQLException {
        String one = server.createDatabase("db");
        String two = server.createDatabase("db");
        execute(one, "create table t (n int)");

        assertThat(query(two, "select to_regclass('t') is null")).isEqualTo("t");
        assertThatThrownBy(() -> server.createDatabase("x; drop database postgres"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String setting(String name) throws SQLException {
        return query("postgres", "show " + name);
    }

    private static String query(String database, String sql) throws SQLException {
        return query(server, database, sql);
    }

    private static String query(PostgresServer server, String database, String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private static void execute(String database, String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
