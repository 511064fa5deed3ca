package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command takes the configuration from WAYBILL_CONFIG when none is named. */
class ConfigurationVariableTest {
    private static PostgresServer server;

    @TempDir
    Path folder;

    private final Cli cli = new Cli();

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void init_config_and_status_use_the_file_of_the_variable() throws IOException {
        Path file = Files.writeString(
                folder.resolve("waybill.yaml"),
                "stores: { orders: { type: postgres-journal, url: \""
                        + server.jdbcUrl(server.createDatabase("variable"))
                        + "\" } }\n"
                        + "destinations: { kafka: { type: kafka, properties: { bootstrap.servers: \"localhost:1\" } } }\n"
                        + "relays: { to-kafka: { store: orders, destination: kafka, format: envelope, source: a } }\n");
        cli.configured(file);

        assertThat(cli.run("config")).as(cli.err()).isZero();
        assertThat(cli.out()).contains("to-kafka");
        assertThat(cli.run("init")).as(cli.err()).isZero();
        assertThat(cli.out()).contains("store orders: the schema waybill is ready");
        assertThat(cli.run("init", "--store", "orders")).as(cli.err()).isZero();
        assertThat(cli.run("status")).as(cli.err()).isZero();
        assertThat(cli.run("config", "--schema")).isZero();
        assertThat(cli.out()).doesNotContain("to-kafka");
    }

    @Test
    void run_reads_the_file_of_the_variable() {
        Path missing = folder.resolve("none.yaml");
        assertThat(cli.configured(missing).run("run")).isEqualTo(ExitCode.USAGE.number());
        assertThat(cli.err()).contains("There is no file " + missing);
    }

    @Test
    void without_the_variable_commands_say_what_to_name() {
        for (String command : new String[] {"run", "config", "init"}) {
            assertThat(cli.run(command)).isEqualTo(ExitCode.USAGE.number());
            assertThat(cli.err()).contains("WAYBILL_CONFIG");
        }
    }
}
