package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jsonschema.JsonSchemaCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigurationPagesTest {
    private static final Path RESOURCES = Path.of("src", "main", "resources", "dev", "waybill", "server", "config");

    /** With {@code -Dwaybill.docs.write=true} a page is written anew. */
    private static String written(Path page, String text) throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(page, text);
        }
        return Files.readString(page);
    }

    @Test
    void the_shipped_schema_is_that_of_the_code() throws Exception {
        assertThat(written(RESOURCES.resolve("waybill.schema.json"), ConfigurationPages.schema()))
                .as("stale: run ./waybill config --schema and put what it prints there")
                .isEqualTo(ConfigurationPages.schema());
    }

    @Test
    void the_reference_page_is_that_of_the_code() throws Exception {
        assertThat(written(Path.of("..", "..", "docs", "configuration.md"), ConfigurationPages.reference()))
                .as("stale: run ./waybill config --reference and put what it prints there")
                .isEqualTo(ConfigurationPages.reference());
    }

    @Test
    void the_schema_takes_the_example_and_refuses_what_is_wrong() throws Exception {
        JsonSchemaCheck schema = JsonSchemaCheck.of(ConfigurationPages.schema());
        String example = Files.readString(RESOURCES.resolve("example.yaml"));

        assertThat(schema.violations(json(example))).isEmpty();
        for (List<String> change : List.of(
                List.of("batch: 500", "bath: 500"),
                List.of("batch: 500", "batch: many"),
                List.of("interval: 50ms", "interval: 50"),
                List.of("type: kafka", "type: kafkaesque"),
                List.of("on-dead: pass", "on-dead: maybe"),
                List.of("    store: orders\n", ""))) {
            assertThat(schema.violations(json(example.replace(change.get(0), change.get(1)))))
                    .as(change.get(1))
                    .isNotEmpty();
        }
    }

    private static JsonNode json(String yaml) {
        return JsonMapper.builder()
                .build()
                .valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }
}
