package dev.waybill.jsonschema;

import dev.waybill.registry.EventDefinition;
import dev.waybill.registry.EventRegistry;
import dev.waybill.registry.PayloadLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event registry in a file.
 *
 * <pre>{@code
 * {"events": {
 *    "license_status_changed": {
 *       "topic": "pf-domain-events", "aggregate-type": "license", "schema": "license_status_changed.schema.json"},
 *    "order_placed": {
 *       "topic": "orders", "aggregate-type": "order", "java-type": "com.example.OrderPlaced"}},
 *  "limits": {"bytes": 1000000, "depth": 100}}
 * }</pre>
 *
 * A payload is described by the name of a JSON Schema file, beside the registry's own, or of a Java class. The limits may be
 * left out.
 */
public final class RegistryFile {
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private RegistryFile() {}

    /**
     * @param file JSON
     * @throws RegistryFileException if it has mistakes; the message lists all of them
     */
    public static EventRegistry read(Path file) {
        try {
            return of(
                    MAPPER.readValue(Files.readString(file), OBJECT),
                    file.toAbsolutePath().resolveSibling(""),
                    file.toString());
        } catch (IOException e) {
            throw new RegistryFileException(
                    file.toString(),
                    List.of("it cannot be read (" + e.getClass().getSimpleName() + ")"));
        } catch (JacksonException e) {
            throw new RegistryFileException(
                    file.toString(), List.of("it is not a JSON object: " + e.getOriginalMessage()));
        }
    }

    /**
     * The same from a tree, for example a part of a larger configuration.
     *
     * @param tree maps, lists, texts and numbers
     * @param directory where its schema files are
     * @param name of the registry, for messages
     * @throws RegistryFileException if it has mistakes; the message lists all of them
     */
    public static EventRegistry of(Map<String, ?> tree, Path directory, String name) {
        Section top = new Section("", tree, new ArrayList<>());
        top.allow("events", "limits");
        List<EventDefinition> definitions = new ArrayList<>();
        EventEntries entries = new EventEntries(directory);
        top.section("events").ifPresent(events -> entries.read(events, definitions));
        if (top.problems().isEmpty() && definitions.isEmpty()) {
            top.problem("events", "there is no event type: give at least one");
        }
        PayloadLimits limits = top.section("limits").map(RegistryFile::limits).orElse(PayloadLimits.defaults());
        if (!top.problems().isEmpty()) {
            throw new RegistryFileException(name, top.problems());
        }
        return EventRegistry.of(definitions).withLimits(limits);
    }

    private static PayloadLimits limits(Section section) {
        section.allow("bytes", "depth");
        int bytes = section.number("bytes", PayloadLimits.defaults().bytes());
        int depth = section.number("depth", PayloadLimits.defaults().depth());
        try {
            return new PayloadLimits(bytes, depth);
        } catch (IllegalArgumentException e) {
            section.problem(Objects.requireNonNull(e.getMessage()));
            return PayloadLimits.defaults();
        }
    }
}
