package dev.waybill.jsonschema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.registry.EventRegistry;
import dev.waybill.registry.PayloadLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryFileTest {
    @TempDir
    Path directory;

    record OrderPlaced(String orderId, int total) {}

    @BeforeEach
    void writeSchemas() throws IOException {
        Files.writeString(directory.resolve("license.schema.json"), "{\"type\": \"object\"}");
        Files.writeString(directory.resolve("broken.schema.json"), "{\"type\": \"objekt\"}");
    }

    @Test
    void schemas_are_found_beside_the_file_and_classes_on_the_class_path() throws IOException {
        EventRegistry registry = read("""
                {"events": {
                   "license_status_changed": {
                     "topic": "pf-domain-events", "aggregate-type": "license", "schema": "license.schema.json"},
                   "order_placed": {
                     "topic": "orders", "aggregate-type": "order", "java-type": "%s"}}}""".formatted(OrderPlaced.class.getName()));
        assertThat(registry.types()).containsExactly("license_status_changed", "order_placed");
        assertThat(registry.limits()).isEqualTo(PayloadLimits.defaults());
    }

    @Test
    void the_same_form_can_come_from_another_configuration() {
        Map<String, Object> license =
                Map.of("topic", "t", "aggregate-type", "license", "schema", "license.schema.json");
        EventRegistry registry = RegistryFile.of(
                Map.of("events", Map.of("license_status_changed", license), "limits", Map.of("bytes", 5, "depth", 3)),
                directory,
                "of relay licenses");
        assertThat(registry.types()).containsExactly("license_status_changed");
        assertThat(registry.limits()).isEqualTo(new PayloadLimits(5, 3));
    }

    @Test
    void all_mistakes_are_reported_with_their_paths() {
        assertThatThrownBy(() -> read("""
                        {"events": {
                           "a": {"aggregate-type": " ", "schema": "none.json"},
                           "b": {"topic": "t", "aggregate-type": 5, "java-type": "com.example.None"},
                           "c": {"topic": "t", "aggregate-type": "x", "schema": "license.schema.json", "java-type": "y"},
                           "d": {"topic": "t", "aggregate-type": "x", "schema": "broken.schema.json", "shcema": ""},
                           "e": {"topic": "t", "aggregate-type": "x"},
                           "f": "g"},
                         "limits": {"bytes": "many", "depth": 0},
                         "event": {}}"""))
                .isInstanceOf(RegistryFileException.class)
                .hasMessageContaining("registry.json cannot be used, 13 things are wrong")
                .hasMessageContaining("event: is not known here; use events, limits")
                .hasMessageContaining("events.a.topic: is missing")
                .hasMessageContaining("events.a.aggregate-type: must be a text that is not blank")
                .hasMessageContaining("events.a.schema: the file \"none.json\" cannot be read (NoSuchFileException)")
                .hasMessageContaining("events.b.aggregate-type: must be a text that is not blank")
                .hasMessageContaining("events.b.java-type: there is no class com.example.None here")
                .hasMessageContaining("events.c: give its payload either a schema")
                .hasMessageContaining("events.d.schema: The JSON Schema breaks the rules of its draft")
                .hasMessageContaining(
                        "events.d.shcema: is not known here; use topic, aggregate-type, schema, java-type")
                .hasMessageContaining("events.e: give its payload either a schema")
                .hasMessageContaining("events.f: must be an object")
                .hasMessageContaining("limits.bytes: must be a whole number")
                .hasMessageContaining("limits: The payload limits are 1000000 bytes and a depth of 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "{", "{\"events\":{},\"events\":{}}", "{\"events\": null}", "{\"events\": {}}", "{}"})
    void a_file_that_is_not_a_registry_is_refused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(RegistryFileException.class);
    }

    @Test
    void a_missing_file_is_named() {
        assertThatThrownBy(() -> RegistryFile.read(directory.resolve("none.json")))
                .isInstanceOf(RegistryFileException.class)
                .hasMessageContaining("none.json")
                .hasMessageContaining("NoSuchFileException");
    }

    private EventRegistry read(String text) throws IOException {
        return RegistryFile.read(Files.writeString(directory.resolve("registry.json"), text));
    }
}
