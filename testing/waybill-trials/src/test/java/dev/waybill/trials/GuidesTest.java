package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.testkit.guide.Guide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Follows the guides literally, each in an empty folder with a database of its own. */
class GuidesTest {
    private static final Path GUIDES =
            Path.of("..", "..", "docs", "guides").toAbsolutePath().normalize();

    /** Needs the classes of Spring Boot: a test of the example application follows it. */
    private static final String ELSEWHERE = "spring-boot.md";

    /**
     * Those that take longest: they run many commands, each in a Java of its own. Those of Node.js and Python do what services
     * of examples/polyshop do.
     */
    private static final List<String> LONG =
            List.of("existing-table.md", "incidents.md", "node.md", "operator.md", "python.md");

    /** What a guide needs beyond Java, and a command that succeeds if it is there. */
    private static final Map<String, List<Needed>> NEEDED = Map.of(
            "incidents.md", List.of(new Needed("psql", "psql --version")),
            "operator.md", List.of(new Needed("psql", "psql --version")),
            "existing-table.md", List.of(new Needed("psql", "psql --version")),
            "python.md",
                    List.of(new Needed(
                            "psycopg2 or confluent_kafka for python3",
                            "python3 -c 'import psycopg2, confluent_kafka'")),
            "node.md", List.of(new Needed("pg for Node.js", "node -e 'require(\"pg\")'")));

    /** Where install-servers puts packages of Node.js. A reader installs them into the folder of the guide. */
    private static final Path NODE_PACKAGES =
            GUIDES.resolve("../../examples/polyshop/payment/node_modules").normalize();

    private record Needed(String name, String check) {}

    @TempDir
    private static Path directory;

    private static Distribution distribution;
    /** Unlike that of the other trials, it creates topics when they are first used. */
    private static KafkaServer kafka;

    @BeforeAll
    static void prepare() throws Exception {
        distribution = Distribution.unpackInto(directory);
        kafka = KafkaServer.start();
    }

    @AfterAll
    static void close() {
        kafka.close();
    }

    @TestFactory
    Stream<DynamicTest> a_guide_can_be_followed_literally() throws IOException {
        return following(pages().filter(name -> !name.equals(ELSEWHERE) && !LONG.contains(name)));
    }

    @Tag("full")
    @TestFactory
    Stream<DynamicTest> a_long_guide_can_be_followed_literally() {
        return following(LONG.stream());
    }

    private static Stream<DynamicTest> following(Stream<String> names) {
        return names.map(name -> DynamicTest.dynamicTest(name, () -> follow(name)));
    }

    @Test
    void every_guide_is_in_the_index() throws IOException {
        String index = Files.readString(GUIDES.resolve("README.md"));

        assertThat(pages())
                .contains("jdbc.md", ELSEWHERE)
                .allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
    }

    private static void follow(String name) throws Exception {
        Path folder = Files.createDirectory(directory.resolve(name));
        Map<String, String> environment = environment(folder);
        for (Needed needed : NEEDED.getOrDefault(name, List.of())) {
            ProcessBuilder check = new ProcessBuilder("bash", "-c", needed.check()).directory(folder.toFile());
            check.environment().clear();
            check.environment().putAll(environment);
            assumeTrue(Distribution.finish(check).exitCode() == 0, needed.name() + " is not installed");
        }
        Guide.read(GUIDES.resolve(name)).follow(folder, environment);
    }

    /** Debian's programs come first: its packages are not for other Pythons. */
    private static Map<String, String> environment(Path folder) {
        String java = System.getProperty("java.home");
        String database = TrialServers.postgres().createDatabase("guide");
        String url = TrialServers.postgres().jdbcUrl(database);
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH",
                java + "/bin:/usr/bin:" + System.getenv("PATH"),
                "HOME",
                folder.toString(),
                "LC_ALL",
                "C.UTF-8",
                "JAVA_HOME",
                java,
                "JDK_JAVA_OPTIONS",
                "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
                "WAYBILL_HOME",
                distribution.home().toString(),
                "DATABASE_URL",
                url.substring("jdbc:".length(), url.indexOf('?')),
                "PGUSER",
                "postgres",
                "PGPASSWORD",
                "not-asked-for",
                "BROKERS",
                kafka.bootstrapServers()));
        environment.put("NODE_PATH", NODE_PACKAGES.toString());
        return environment;
    }

    private static Stream<String> pages() throws IOException {
        try (Stream<Path> pages = Files.list(GUIDES)) {
            return pages
                    .map(page -> page.getFileName().toString())
                    .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }
}
