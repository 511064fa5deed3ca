package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.trials.Distribution.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution on a machine without Maven and without a checkout. */
class DistributionTest {
    private static final String APPEND = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            values ('order.placed.v1', 'Order', '4711', '{"amount": 990}')
            """;

    @TempDir
    private static Path directory;

    private static Distribution distribution;

    @BeforeAll
    static void unpack() throws Exception {
        distribution = Distribution.unpackInto(directory);
    }

    @Test
    void it_delivers_an_event_and_ends_on_sigterm() throws Exception {
        String database = TrialServers.postgres().createDatabase("distribution");
        String url = TrialServers.postgres().jdbcUrl(database);
        Topics.make(List.of(database));
        Path file = Files.writeString(directory.resolve("waybill.yaml"), """
                server: { port: 0 }
                stores:
                  orders: { type: postgres-journal, url: "%s" }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "%s" } }
                relays:
                  orders-to-kafka: { store: orders, destination: kafka, format: raw, route: { topic: %s } }
                """.formatted(
                        url, TrialServers.kafka().bootstrapServers(), database));
        assertThat(distribution.run(Map.of(), "init", "--url", url).exitCode()).isZero();
        try (Connection connection =
                        TrialServers.postgres().dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(APPEND);
        }
        Path link = Files.createSymbolicLink(directory.resolve("waybill-link"), distribution.launcher());
        Process server = distribution
                .process(Map.of(), link, "run", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("run.log").toFile())
                .start();
        try {
            assertThat(Messages.await(database, 1))
                    .singleElement()
                    .satisfies(message -> assertThat(message.text()).contains("990"));
            assertThat(server.info().command())
                    .hasValueSatisfying(command -> assertThat(command).endsWith("/java"));

            Answer status = distribution.run(Map.of(), "status", "--config", file.toString());
            assertThat(status.output()).contains("orders-to-kafka", "running", "pid " + server.pid());
            assertThat(status.exitCode()).isZero();
            Answer doctor = distribution.run(Map.of("WAYBILL_CONFIG", file.toString()), "doctor");
            assertThat(doctor.output()).contains("orders-to-kafka");
            assertThat(doctor.exitCode()).isIn(0, 5);

            server.toHandle().destroy();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(directory.resolve("run.log")))
                    .as("no stack trace")
                    .doesNotContainPattern("(?m)^\\s+at ");
            assertThat(server.exitValue()).isIn(0, 143);
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void its_example_configuration_and_its_completion_can_be_used() throws Exception {
        String example = distribution.home().resolve("conf/waybill.yaml").toString();

        assertThat(distribution.run(Map.of("ORDERS_DB_PASSWORD", "none"), "config", example))
                .satisfies(answer -> assertThat(answer.output()).contains("orders-to-kafka"))
                .satisfies(answer -> assertThat(answer.exitCode()).isZero());
        assertThat(distribution.home().resolve("completion/waybill.sh"))
                .content()
                .contains("complete -F");
        assertThat(List.of(
                        "LICENSE",
                        "NOTICE",
                        "README.md",
                        "bom.json",
                        "conf/waybill.schema.json",
                        "monitoring/waybill-alerts.yml",
                        "monitoring/waybill-dashboard.json"))
                .allSatisfy(
                        file -> assertThat(distribution.home().resolve(file)).isNotEmptyFile());
    }

    @Test
    void the_first_short_command_writes_a_class_archive_and_others_use_it() throws Exception {
        Answer first = distribution.run(Map.of(), "status", "--help");
        Answer next = distribution.run(Map.of("WAYBILL_JAVA_OPTIONS", "-Xshare:on -Xlog:cds=info"), "status", "--help");

        assertThat(first.output()).startsWith("Usage: waybill status");
        try (Stream<Path> files = Files.list(distribution.home().resolve("lib"))) {
            Path archive = files.filter(file -> file.toString().endsWith(".jsa"))
                    .findFirst()
                    .orElseThrow();
            assertThat(archive).isNotEmptyFile();
            assertThat(next.output()).contains(archive.toString());
        }
    }

    @Test
    void it_starts_from_its_own_directory_and_with_a_search_path_for_directories() throws Exception {
        ProcessBuilder inItsDirectory = distribution.process(Map.of("CDPATH", "."), Path.of("waybill"), "--version");
        inItsDirectory.directory(distribution.launcher().getParent().toFile());
        inItsDirectory.command().add(0, "/bin/sh");
        ProcessBuilder beside = distribution.process(Map.of("CDPATH", "."), Path.of("bin/waybill"), "--version");
        beside.directory(distribution.home().toFile());

        assertThat(Distribution.finish(inItsDirectory).output()).startsWith("waybill 0.");
        assertThat(Distribution.finish(beside).output()).startsWith("waybill 0.");
    }

    @Test
    void without_java_it_says_what_to_install() throws Exception {
        assertThat(distribution.run(Map.of("JAVA_HOME", ""), "status"))
                .isEqualTo(new Answer(
                        2, "waybill: Java not found. Install a Java runtime 17 or newer, or set JAVA_HOME.\n"));
        assertThat(distribution.run(Map.of("JAVA_HOME", "/nowhere"), "status"))
                .isEqualTo(new Answer(
                        2,
                        "waybill: JAVA_HOME is /nowhere, which has no bin/java. Set it to a Java 17 or newer, or"
                                + " unset it.\n"));
    }

    @Test
    void an_older_java_is_refused_with_its_version() throws Exception {
        Path old = Files.createDirectories(directory.resolve("jre/bin")).resolve("java");
        Files.createFile(old, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(directory.resolve("jre/release"), "JAVA_VERSION=\"11.0.2\"\nOS_NAME=\"Linux\"\n");

        assertThat(distribution.run(Map.of("JAVA_HOME", directory.resolve("jre").toString()), "status"))
                .isEqualTo(new Answer(
                        2,
                        "waybill: " + old + " is Java 11.0.2. Waybill needs Java 17 or newer: install one, or set"
                                + " JAVA_HOME.\n"));
    }
}
