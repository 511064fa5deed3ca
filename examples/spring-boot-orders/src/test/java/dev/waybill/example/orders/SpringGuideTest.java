package dev.waybill.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.SharedPostgres;
import dev.waybill.testkit.guide.Guide;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the guide for Spring Boot and the quick start of the README literally. Only Maven is not run, because nobody has installed
 * Waybill's modules for it: a program of the same name compiles, packs and runs with the class path of this build, and the dependencies
 * of the pom.xml are compared with it.
 */
class SpringGuideTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String PROJECT_VERSION = "0.1.0-SNAPSHOT";
    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");

    /** What this module has on its class path and the guide's project has not. */
    private static final String NOT_IN_THE_GUIDE =
            "/examples/|/testing/|waybill-telemetry|opentelemetry|micrometer-tracing|junit|assertj";

    private static final String NOT_IN_THE_QUICK_START =
            NOT_IN_THE_GUIDE + "|hibernate|-jpa-|/spring-(orm|data)|spring-boot-data|actuator|spring-boot-health";

    /** The lines of a manifest are short; a longer value continues behind a space. */
    private static final String MAVEN = """
            #!/bin/bash
            set -e
            mkdir -p target/classes
            cp -R src/main/resources/. target/classes
            find src/main/java -name '*.java' >target/sources
            javac -parameters -d target/classes -cp "$GUIDE_CLASS_PATH" @target/sources
            main=$(grep -rl 'void main' src/main/java | sed 's|^src/main/java/||; s|/|.|g; s|.java$||')
            case "$*" in *spring-boot:run*) exec java -cp "target/classes:$GUIDE_CLASS_PATH" "$main" ;; esac
            { echo "Main-Class: $main"
              echo "Class-Path: $GUIDE_CLASS_URLS" | fold -w 60 | sed '2,$s/^/ /'; echo; } >target/manifest
            jar --create --file "target/${main%%.*}-1.jar" --manifest target/manifest -C target/classes .
            """;

    @TempDir
    private Path directory;

    @Test
    @Tag("full")
    void the_guide_can_be_followed_literally() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("empty"));
        try (KafkaServer kafka = KafkaServer.start()) {
            guide().follow(folder, environment(kafka, NOT_IN_THE_GUIDE));
        }
    }

    @Test
    void the_quick_start_of_the_readme_starts_as_written_and_its_event_is_handled() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("empty"));
        String text = quickStart();
        try (KafkaServer kafka = KafkaServer.start()) {
            Map<String, String> environment = new HashMap<>(environment(kafka, NOT_IN_THE_QUICK_START));
            environment.put("SPRING_DATASOURCE_URL", "jdbc:" + environment.get("DATABASE_URL"));
            environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
            environment.put("SERVER_PORT", environment.get("PORT"));
            String request = inline(text, "curl [^`]+").replace("8080", environment.get("PORT"));
            String printed = inline(text, "Reserved: [^`]+");
            String steps = """
                    ```sh
                    %s >shop.log 2>&1 &
                    ```
                    ```sh
                    %s    # repeat
                    ```
                    ```text
                    "…"
                    ```
                    ```sh
                    grep -o "Reserved: .*" shop.log    # repeat
                    ```
                    ```text
                    %s
                    ```
                    """.formatted(inline(text, "mvn spring-boot:run"), request, printed);
            Guide.of("README.md", text + "\n" + steps).follow(folder, environment);
        }
    }

    @Test
    void the_quick_start_has_the_same_dependencies_for_maven_and_for_gradle() throws IOException {
        Guide readme = Guide.of("README.md", quickStart());
        String gradle = readme.file("build.gradle.kts");
        assertDependenciesExist(readme.file("pom.xml"));
        assertThat(readme.file("pom.xml")).contains(between(gradle, "org.springframework.boot\") version \"", "\""));
        assertThat(gradle).contains("dev.waybill:waybill-bom:" + PROJECT_VERSION);
        assertThat(coordinates(readme.file("pom.xml")))
                .filteredOn(name -> !name.matches("shop:shop|.*-(parent|bom)"))
                .allSatisfy(name -> assertThat(gradle)
                        .containsPattern("[\":]" + name.replaceFirst(".*:(spring-boot-starter-)?", "") + "\""));
    }

    private static String quickStart() throws IOException {
        return between(Files.readString(ROOT.resolve("README.md")), "\n## Quick start\n", "\n## ");
    }

    /** A command or a text between backticks. */
    private static String inline(String text, String pattern) {
        Matcher found = Pattern.compile("`(" + pattern + ")`").matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    @Test
    void the_project_of_the_guide_has_dependencies_that_exist() throws IOException {
        assertDependenciesExist(guide().file("pom.xml"));
    }

    private static void assertDependenciesExist(String pom) throws IOException {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        List<String> published = coordinates(Files.readString(ROOT.resolve("core/waybill-bom/pom.xml")));
        String classPath = System.getProperty("java.class.path");

        assertThat(pom)
                .contains("<version>" + between(parent, "<spring-boot.version>", "<") + "</version>")
                .contains("<version>" + PROJECT_VERSION + "</version>");
        assertThat(coordinates(pom))
                .contains("dev.waybill:waybill-spring-boot-starter")
                .filteredOn(
                        name -> !name.matches(
                                ".*:spring-boot-starter-parent|.*:spring-boot-maven-plugin|dev.waybill:waybill-bom|(studio:studio|shop:shop)"))
                .allSatisfy(name -> {
                    if (name.startsWith("dev.waybill:")) {
                        assertThat(published).contains(name);
                    } else {
                        assertThat(classPath).contains("/" + name.substring(name.indexOf(':') + 1) + "-");
                    }
                });
    }

    private static Guide guide() throws IOException {
        return Guide.read(ROOT.resolve("docs/guides/spring-boot.md"));
    }

    /** @param notInTheProject parts of paths that are not on its class path */
    private Map<String, String> environment(KafkaServer kafka, String notInTheProject) throws IOException {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Path maven = Files.writeString(programs.resolve("mvn"), MAVEN);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
        PostgresServer postgres = SharedPostgres.server();
        String url = postgres.jdbcUrl(postgres.createDatabase("studio"));
        return Map.of(
                "PATH",
                programs + ":" + System.getProperty("java.home") + "/bin:" + System.getenv("PATH"),
                "LC_ALL",
                "C.UTF-8",
                "JDK_JAVA_OPTIONS",
                "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
                "GUIDE_CLASS_PATH",
                classPath(notInTheProject).map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                "GUIDE_CLASS_URLS",
                classPath(notInTheProject).map(path -> path.toUri().toString()).collect(Collectors.joining(" ")),
                "DATABASE_URL",
                url.substring("jdbc:".length(), url.indexOf('?')),
                "PGUSER",
                "postgres",
                "PGPASSWORD",
                "not-asked-for",
                "BROKERS",
                kafka.bootstrapServers(),
                "PORT",
                Integer.toString(FreePort.choose()));
    }

    private static Stream<Path> classPath(String notInTheProject) {
        Pattern excluded = Pattern.compile(notInTheProject);
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !excluded.matcher(entry).find())
                .map(Path::of);
    }

    private static List<String> coordinates(String pom) {
        return DEPENDENCY
                .matcher(pom)
                .results()
                .map(found -> found.group(1) + ":" + found.group(2))
                .toList();
    }

    private static String between(String text, String before, String after) {
        int start = text.indexOf(before) + before.length();
        return text.substring(start, text.indexOf(after, start));
    }
}
