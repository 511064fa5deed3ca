package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

class MariaDbServerTest {
    private static MariaDbServer server;

    @BeforeAll
    static void start() {
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed: ./install-servers installs it as root");
        server = MariaDbServer.start(
                Map.of("max_connections", "77", "innodb_flush_log_at_trx_commit", "0", "bind_address", "0.0.0.0"));
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void it_is_a_MariaDB_that_knows_SKIP_LOCKED_and_holds_what_is_asked_for() throws SQLException {
        String database = server.createDatabase("known");
        execute(database, "create table t (n int primary key)");
        execute(database, "insert into t values (1), (2)");

        assertThat(query(server, database, "select version()")).contains("MariaDB");
        assertThat(query(server, database, "select @@max_connections")).isEqualTo("77");
        assertThat(query(server, database, "select n from t order by n limit 1 for update skip locked"))
                .isEqualTo("1");
    }

    @Test
    void commits_are_durable_whatever_the_settings() throws SQLException {
        assertThat(query(server, "mysql", "select @@innodb_flush_log_at_trx_commit"))
                .isEqualTo("1");
        assertThat(query(server, "mysql", "select @@innodb_doublewrite")).isEqualTo("1");
    }

    @Test
    void what_was_committed_survives_a_kill_and_the_rest_does_not() throws SQLException {
        String database = server.createDatabase("survives");
        int port = server.port();
        execute(database, "create table t (n int)");
        execute(database, "insert into t values (1)");
        try (Connection open = server.dataSource(database).getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("insert into t values (2)");
            ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();

            server.stopImmediately();

            assertThat(new ServerProcess(process).isRunning()).isFalse();
            assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(server::pid).hasMessageContaining("restart()");
        server.restart();

        assertThat(server.port()).isEqualTo(port);
        assertThat(query(server, database, "select group_concat(n) from t")).isEqualTo("1");
        assertThat(query(server, database, "select @@max_connections")).isEqualTo("77");
    }

    @Test
    void it_can_be_stopped_cleanly_and_started_again() throws SQLException {
        String database = server.createDatabase("clean");
        execute(database, "create table t (n int)");
        execute(database, "insert into t values (1)");

        server.stop();
        assertThatThrownBy(() -> query(server, database, "select 1")).isInstanceOf(SQLException.class);
        server.restart();

        assertThat(query(server, database, "select n from t")).isEqualTo("1");
        assertThatThrownBy(server::restart).hasMessageContaining("running already");
    }

    @Test
    void it_listens_on_loopback_and_nowhere_else() throws IOException {
        try (Socket loopback = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            assertThat(loopback.isConnected()).isTrue();
        }
        assertThat(NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(address -> !address.isLoopbackAddress()))
                .allSatisfy(address -> assertThatThrownBy(() -> new Socket(address, server.port()).close())
                        .isInstanceOf(IOException.class));
    }

    @Test
    void closing_ends_the_process_and_removes_the_directory() throws SQLException {
        MariaDbServer other = MariaDbServer.start();
        ProcessHandle process = ProcessHandle.of(other.pid()).orElseThrow();
        Path data = Path.of(query(other, "mysql", "select @@datadir"));
        assertThat(data).isDirectory();

        other.close();
        other.close();

        assertThat(new ServerProcess(process).isRunning()).isFalse();
        assertThat(data.getParent()).doesNotExist();
    }

    @Test
    void an_unknown_setting_is_reported_with_the_servers_message() {
        assertThatThrownBy(() -> MariaDbServer.start(Map.of("no_such_setting", "1")))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("no_such_setting");
    }

    @Test
    void every_database_is_a_new_one() throws SQLException {
        String one = server.createDatabase("db");
        String two = server.createDatabase("db");
        execute(one, "create table t (n int)");

        assertThat(query(server, two, "select count(*) from information_schema.tables where table_schema = database()"))
                .isEqualTo("0");
        assertThatThrownBy(() -> server.createDatabase("x; drop database mysql"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String query(MariaDbServer server, String database, String sql) throws SQLException {
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
