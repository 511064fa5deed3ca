package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user is told to do when the database refuses a command. */
class DatabaseRemediesTest extends JournalCommandsFixture {
    @TempDir
    Path folder;

    @Test
    void a_database_without_the_schema_is_told_to_run_init() {
        String empty = server.createDatabase("empty");

        assertThat(cli.run("status", "--url", server.jdbcUrl(empty))).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err()).contains("store " + empty, "Run `waybill init` as the owner of the database");
    }

    @Test
    void a_role_without_privileges_is_told_what_to_grant() throws SQLException {
        String role = role("stranger");

        assertThat(as(role, "status")).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err()).contains("store " + journal.database(), "42501", "`waybill init --relay ROLE`");

        assertThat(as(role, "doctor")).isEqualTo(ExitCode.PROBLEMS.number());
        assertThat(cli.out()).contains("USAGE", "--relay " + role).doesNotContain("cannot be reached");
    }

    @Test
    void the_role_of_a_relay_is_told_that_pausing_needs_an_operator() throws SQLException {
        String role = role("relay");
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> DEAD);
        assertThat(run("init", "--relay", role)).as(cli.err()).isZero();

        assertThat(as(role, "pause", "to-kafka")).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err())
                .contains("while pausing relay to-kafka", "`waybill init --operator ROLE`")
                .doesNotContain("--relay ROLE");
    }

    @Test
    void init_names_the_store_and_the_role_it_needs() throws SQLException, IOException {
        String role = role("cannot_create");
        String empty = server.createDatabase("empty");
        Path file = Files.writeString(
                folder.resolve("waybill.yaml"),
                "stores:\n  orders: { type: postgres-journal, url: \""
                        + server.jdbcUrl(empty).split("\\?", 2)[0] + "\", user: " + role + " }\n"
                        + "destinations: { kafka: { type: kafka, properties: { bootstrap.servers: \"localhost:1\" } } }\n"
                        + "relays: { to-kafka: { store: orders, destination: kafka, format: envelope, source: a } }\n");

        assertThat(cli.run("init", "-c", file.toString())).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err()).contains("store orders", "42501", "such as the owner of the database");
    }

    @Test
    void init_says_which_option_has_the_login() {
        String withoutUser = journal.url().split("\\?", 2)[0];

        assertThat(cli.run("init", "--url", withoutUser, "--user", "nosuch_login"))
                .isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err()).contains("store " + journal.database(), "28000", "--user", "--password-file");
    }

    @Test
    void init_says_that_the_database_or_a_named_role_must_be_created_first() {
        assertThat(cli.run("init", "--url", server.jdbcUrl("nosuch_database"))).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err()).contains("nosuch_database", "Create the database");

        assertThat(run("init", "--producer", "nosuch_role")).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.err()).contains("nosuch_role", "`create role NAME login`");
    }

    private String role(String prefix) throws SQLException {
        String role = prefix + "_" + journal.database();
        journal.execute("create role " + role + " login");
        return role;
    }

    private int as(String role, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 4);
        all[arguments.length] = "--url";
        all[arguments.length + 1] = journal.url().split("\\?", 2)[0];
        all[arguments.length + 2] = "--user";
        all[arguments.length + 3] = role;
        return cli.run(all);
    }
}
