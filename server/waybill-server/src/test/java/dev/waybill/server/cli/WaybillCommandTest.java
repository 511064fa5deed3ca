package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class WaybillCommandTest {
    private static PostgresServer server;

    private String database;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void createDatabase() {
        database = server.createDatabase("cli");
    }

    @Test
    void init_creates_the_schema_and_is_idempotent() {
        assertThat(waybill("init", "--url", url())).isZero();
        assertThat(out.toString()).contains("is ready");
        assertThat(waybill("init", "--url", url())).isZero();
        assertThat(out.toString()).contains("is up to date");
    }

    @Test
    void the_printed_script_creates_a_schema_that_init_accepts() throws SQLException {
        execute("create role app_cli");
        assertThat(waybill("init", "--print", "--producer", "app_cli")).isZero();
        execute(out.toString());
        out.getBuffer().setLength(0);

        assertThat(waybill("init", "--url", url())).isZero();
        assertThat(out.toString()).contains("is up to date");
    }

    @Test
    void status_of_a_journal_without_relays() {
        waybill("init", "--url", url());
        assertThat(waybill("status", "--url", url())).isZero();
        assertThat(out.toString()).contains("No relay has read this store yet");
    }

    @Test
    void a_database_that_cannot_be_reached_is_a_message_and_not_a_stack_trace() {
        assertThat(waybill("status", "--url", "jdbc:postgresql://127.0.0.1:1/none?user=nobody"))
                .isNotZero();
        assertThat(err.toString()).startsWith("waybill: ").contains("refused").doesNotContain("\tat ");
    }

    @Test
    void an_unknown_command_or_none_is_answered_with_the_usage() {
        assertThat(waybill("relaunch")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(waybill()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("Usage:");
    }

    @Test
    void commands_of_a_checkout_are_told_to_need_one() {
        for (String command : List.of("demo", "example", "bench", "dist")) {
            err.getBuffer().setLength(0);
            assertThat(waybill(command)).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(err.toString())
                    .contains("needs a checkout of the source: run ./waybill " + command)
                    .doesNotContain("Did you mean");
        }
    }

    @Test
    void options_of_init_that_would_change_nothing_are_refused() {
        assertThat(waybill("init", "--existing", "--url", url())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(waybill("init", "--existing", "--layout", "orders", "--url", url()))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--existing goes with --layout and --print");
        assertThat(waybill("init", "--database", "H2", "--print")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--database goes with --layout and --print");
        assertThat(waybill("init", "--database", "H2", "--existing", "--layout", "orders", "--print"))
                .isZero();
    }

    @Test
    void an_unknown_layout_is_answered_for_users_of_commands_too() {
        assertThat(waybill("init", "--layout", "nosuch", "--print")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("nosuch", "polyshop", "with the key layout in a configuration");
    }

    @Test
    void every_command_tells_its_version() {
        assertThat(waybill("--version")).isZero();
        assertThat(waybill("status", "-V")).isZero();
        assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("waybill "));
    }

    private int waybill(String... arguments) {
        return WaybillCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private String url() {
        return server.jdbcUrl(database);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
