package dev.waybill.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

class AheadOfTimeTest {
    private static final String[] ARGUMENTS = {
        "--spring.datasource.url=jdbc:h2:mem:aot;DB_CLOSE_DELAY=-1",
        "--waybill.stores.main.schema=create",
        "--waybill.stores.other.schema=none",
        "--waybill.stores.other.type=table",
        "--waybill.relays.main.store=main",
        "--waybill.relays.main.destination=kafka",
        "--spring.kafka.bootstrap-servers=127.0.0.1:1"
    };

    @TempDir
    private static Path generated;

    @BeforeAll
    static void process() throws IOException {
        new SpringApplicationAotProcessor(
                        AheadOfTime.class,
                        Settings.builder()
                                .sourceOutput(generated.resolve("sources"))
                                .resourceOutput(generated.resolve("classes"))
                                .classOutput(generated.resolve("classes"))
                                .groupId("test")
                                .artifactId("test")
                                .build(),
                        ARGUMENTS)
                .process();
        List<String> options = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-d", generated.resolve("classes").toString()));
        try (Stream<Path> files = Files.walk(generated.resolve("sources"))) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(options::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_application_processed_ahead_of_time_starts_and_appends(boolean relays) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dspring.aot.enabled=true",
                "-cp",
                generated.resolve("classes") + ":" + System.getProperty("java.class.path"),
                AheadOfTime.class.getName(),
                "--waybill.auto-startup=" + relays));
        command.addAll(List.of(ARGUMENTS));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(output).isZero();
        assertThat(output).contains("appended 2").contains("relays run: " + relays);
    }
}
