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
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the guide for Spring Boot literally. Only Maven is not run, because nobody has installed Waybill's modules for it: a program of
 * the same name compiles and packs with the class path of this build, and the dependencies of the guide's pom.xml are compared with it.
 */
class SpringGuideTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");

    /** What this module has on its class path and the guide's project has not. */
    private static final Pattern NOT_IN_THE_GUIDE =
            Pattern.compile("/examples/|/testing/|waybill-telemetry|opentelemetry|micrometer-tracing|junit|assertj");

    /** The lines of a manifest are short; a longer value continues behind a space. */
    private static final String MAVEN = """
            #!/bin/bash
            set -e
            mkdir -p target/classes
            cp -R src/main/resources/. target/classes
            find src/main/java -name '*.java' >target/sources
            javac -parameters -d target/classes -cp "$GUIDE_CLASS_PATH" @target/sources
            { echo "Main-Class: studio.StudioApplication"
              echo "Class-Path: $GUIDE_CLASS_URLS" | fold -w 60 | sed '2,$s/^/ /'; echo; } >target/manifest
            jar --create --file target/studio-1.jar --manifest target/manifest -C target/classes .
            """;

    @TempDir
    private Path directory;

    @Test
    @Tag("full")
    void the_guide_can_be_followed_literally() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("empty"));
        try (KafkaServer kafka = KafkaServer.start()) {
            guide().follow(folder, environment(kafka));
        }
    }

    @Test
    void the_project_of_the_guide_has_dependencies_that_exist() throws IOException {
        String pom = guide().file("pom.xml");
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        List<String> published = coordinates(Files.readString(ROOT.resolve("core/waybill-bom/pom.xml")));
        List<String> used = coordinates(Files.readString(Path.of("pom.xml")));

        assertThat(pom).contains("<version>" + between(parent, "<spring-boot.version>") + "</version>");
        assertThat(coordinates(pom))
                .contains("dev.waybill:waybill-spring-boot-starter")
                .filteredOn(name -> !name.contains("spring-boot-starter-parent")
                        && !name.contains("spring-boot-maven-plugin")
                        && !name.equals("dev.waybill:waybill-bom")
                        && !name.equals("studio:studio"))
                .allSatisfy(name -> assertThat(name.startsWith("dev.waybill:") ? published : used)
                        .contains(name));
    }

    private static Guide guide() throws IOException {
        return Guide.read(ROOT.resolve("docs/guides/spring-boot.md"));
    }

    private Map<String, String> environment(KafkaServer kafka) throws IOException {
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
                classPath().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                "GUIDE_CLASS_URLS",
                classPath().map(path -> path.toUri().toString()).collect(Collectors.joining(" ")),
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

    private static Stream<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !NOT_IN_THE_GUIDE.matcher(entry).find())
                .map(Path::of);
    }

    private static List<String> coordinates(String pom) {
        return DEPENDENCY
                .matcher(pom)
                .results()
                .map(found -> found.group(1) + ":" + found.group(2))
                .toList();
    }

    private static String between(String pom, String tag) {
        int start = pom.indexOf(tag) + tag.length();
        return pom.substring(start, pom.indexOf('<', start));
    }
}
