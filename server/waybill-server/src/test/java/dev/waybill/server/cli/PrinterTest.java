package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What gets to a terminal, and what does not. */
class PrinterTest {
    private static final String HOSTILE = "\u001b[2J\u0007\u202e";

    @TempDir
    private Path directory;

    private final Cli cli = new Cli();

    /** In a process of its own: there also the standard output is scrubbed. */
    @ParameterizedTest
    @ValueSource(strings = {"init --print --viewer event", "completion", "config --schema", "--help"})
    void a_password_that_is_a_common_word_does_not_change_our_own_text(String command) throws Exception {
        List<String> arguments = List.of(command.split(" "));
        cli.run(arguments.toArray(String[]::new));
        Map<String, String> environment =
                Map.of("DB_PASSWORD", "event", "A_TOKEN", "waybill", "B_TOKEN", "true", "C_TOKEN", "config");
        try (ChildCommand child = ChildCommand.start(directory.resolve("out"), environment, arguments)) {
            assertThat(child.exitCode()).isZero();
            assertThat(child.printed()).doesNotContain("[hidden]").hasLineCount((int)
                    cli.out().lines().count());
        }
    }

    /** Words of ours, of our keys, types and schemes, and names of the file: none is a secret because somebody's password is the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres",
                "postgresql",
                "journal",
                "password",
                "mariadb",
                "jdbc",
                "amqp",
                "rabbitmq",
                "orders",
                "beginning",
                "commit",
                "stores",
                "10000",
                "250ms",
                "false",
                "polyshop",
                "table",
                "pass",
                "PGPASSWORD"
            })
    void a_common_password_does_not_change_a_configuration(String password) throws Exception {
        String file = Files.writeString(directory.resolve("waybill.yaml"), """
                        stores:
                          orders: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/x", user: app, password: "${PATH}" }
                          old: { type: table, layout: polyshop, url: "jdbc:mariadb://127.0.0.1:1/x", password: "${PATH}" }
                        destinations: { d: { type: rabbitmq, uri: "amqp://127.0.0.1:1" } }
                        relays: { r: { store: orders, destination: d }, s: { store: old, destination: d } }
                        """).toString();
        assertThat(cli.run("config", file)).isZero();
        String expected = cli.out();
        assertThat(expected).contains("type: postgres-journal", "jdbc:mariadb://", "store: orders");

        assertThat(cli.knowing(password).run("config", file)).isZero();
        assertThat(cli.out()).isEqualTo(expected);
    }

    @Test
    void free_text_in_a_configuration_is_shown_without_secrets() throws Exception {
        String file = Files.writeString(directory.resolve("waybill.yaml"), """
                        stores: { s: { type: postgres-journal, url: "jdbc:postgresql://canary-1234:1/mycanary", user: 'a "canary-1234"' } }
                        destinations: { d: { type: rabbitmq, uri: "amqp://127.0.0.1:1", exchange: mycanary } }
                        relays: { r: { store: s, destination: d, batch: "${COUNT:-12345678}" } }
                        """).toString();
        assertThat(cli.knowing("canary-1234")
                        .knowing("mycanary")
                        .knowing("12345678")
                        .run("config", file))
                .isZero();
        assertThat(cli.out())
                .contains(
                        "url: \"jdbc:postgresql://[hidden]:1/[hidden]\"",
                        "user: \"a \\\"[hidden]\\\"\"",
                        "exchange: \"[hidden]\"")
                .doesNotContain("canary", "12345678");
    }

    @Test
    void a_very_long_secret_is_not_printed() throws Exception {
        String key = "canary".repeat(3_000);
        try (ChildCommand child = ChildCommand.start(
                directory.resolve("out"),
                Map.of("SIGNING_PRIVATE_KEY", key),
                List.of("status", "--url", "jdbc:x:" + key))) {
            assertThat(child.exitCode()).isEqualTo(ExitCode.USAGE.number());
            assertThat(child.printed())
                    .startsWith("waybill: the url has neither the form")
                    .doesNotContain("canary");
        }
    }

    @Test
    void a_file_named_by_an_argument_is_not_read() throws Exception {
        Path file = Files.writeString(directory.resolve("arguments"), "--password=canary-1234");

        assertThat(cli.run("status", "@" + file)).isEqualTo(ExitCode.USAGE.number());
        assertThat(cli.err()).contains("arguments").doesNotContain("canary");
    }

    @Test
    void mistyped_arguments_are_quoted_without_secrets_and_control_characters() {
        for (String argument : List.of("--x" + HOSTILE, HOSTILE, "--limit=" + HOSTILE, "--relay=a,b" + HOSTILE)) {
            assertThat(cli.knowing("canary-1234").run("events", argument, "canary-1234"))
                    .isEqualTo(ExitCode.USAGE.number());
            assertThat(cli.err()).isNotBlank().doesNotContain("\u001b", "\u0007", "\u202e", "canary");
        }
    }

    @Test
    void init_and_config_print_no_control_characters() throws Exception {
        cli.run("init", "--print", "--viewer", "a" + HOSTILE);
        assertThat(cli.out() + cli.err()).contains("a\uFFFD").doesNotContain("\u001b", "\u0007", "\u202e");

        Path file = Files.writeString(directory.resolve("waybill.yaml"), """
                stores:
                  orders: { type: postgres-journal, url: "jdbc:postgresql://h/x", user: "a\\e[2J\\a\\u202e" }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "localhost:9092", client.id: "a\\u202e" } }
                relays:
                  orders: { store: orders, destination: kafka, source: shop }
                """);
        assertThat(cli.run("config", file.toString())).isZero();
        assertThat(cli.out()).isNotBlank().doesNotContain("\u001b", "\u0007", "\u202e");
    }
}
