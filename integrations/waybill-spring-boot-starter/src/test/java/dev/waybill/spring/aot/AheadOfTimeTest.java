package dev.waybill.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.boot.run.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AheadOfTimeTest {
    private static final String TOPIC = Servers.unique("aot");
    private static final String[] ARGUMENTS = {
        "--spring.datasource.url=jdbc:h2:mem:aot;DB_CLOSE_DELAY=-1",
        "--waybill.stores.main.schema=create",
        "--waybill.relays.main.route.topic=" + TOPIC,
        "--waybill.consumers.aot.destination=kafka",
        "--waybill.consumers.aot.topics=" + TOPIC,
        "--waybill.stores.other.schema=create",
        "--waybill.stores.other.type=table",
        "--waybill.stores.other.layout=polyshop",
        "--waybill.relays.main.store=main",
        "--waybill.relays.main.destination=kafka",
        "--spring.kafka.bootstrap-servers=" + Servers.kafka().bootstrapServers()
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

    @Test
    void an_application_processed_ahead_of_time_starts_appends_and_handles() throws Exception {
        startProcessed(true);
    }

    @Tag("full")
    @Test
    void an_application_processed_ahead_of_time_starts_and_appends_without_its_relays() throws Exception {
        startProcessed(false);
    }

    private static void startProcessed(boolean relays) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(ARGUMENTS));
        arguments.add("--waybill.auto-startup=" + relays);
        String output = Fork.ofThisJava()
                .with("-Dspring.aot.enabled=true")
                .classesFirst(generated.resolve("classes"))
                .run(AheadOfTime.class, arguments);
        assertThat(output)
                .contains("appended 2 and 1")
                .contains("relays run: " + relays)
                .contains("handled " + (relays ? 2 : 0));
    }

    @Test
    void handler_methods_and_their_payloads_stay_reachable_in_a_native_image() throws IOException {
        Path metadata = generated.resolve("classes/META-INF/native-image/test/test/reachability-metadata.json");
        JsonNode types =
                JsonMapper.shared().readTree(Files.readString(metadata)).path("reflection");
        assertThat(methodsOf(types, AheadOfTime.Handlers.class)).contains("on");
        assertThat(methodsOf(types, AheadOfTime.Placed.class)).contains("id");
    }

    private static List<String> methodsOf(JsonNode types, Class<?> type) {
        return types.valueStream()
                .filter(each -> each.path("type").asString("").equals(type.getName()))
                .flatMap(each -> each.path("methods").valueStream())
                .map(method -> method.path("name").asString())
                .toList();
    }
}
