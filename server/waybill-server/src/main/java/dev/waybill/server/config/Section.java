package dev.waybill.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A section of the file, with defaults filled in.
 *
 * @param isSound whether it had no mistakes when it was read
 */
record Section(ObjectNode values, Place place, boolean isSound) {
    Section(ObjectNode values, Place place) {
        this(values, place, place.findings().isSound(place.path()));
    }

    /** Of a key that is required or has a default, in a section without mistakes. */
    <T> T get(String key, Class<T> type) {
        return find(key, type).orElseThrow(() -> new IllegalStateException(place.path() + " has no " + key + "."));
    }

    <T> Optional<T> find(String key, Class<T> type) {
        return Optional.ofNullable(values.get(key))
                .filter(value -> value.isValueNode() && !value.isNull())
                .map(value -> as(type, value));
    }

    private static <T> T as(Class<T> type, JsonNode value) {
        if (type == Duration.class) {
            return type.cast(Durations.parse(value.asString()).orElseThrow());
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(each -> written((Enum<?>) each).equals(value.asString()))
                    .findFirst()
                    .orElseThrow();
        }
        return JsonMapper.shared().treeToValue(value, type);
    }

    /** As the file has it: in lower case with hyphens. */
    static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String text(String key) {
        return get(key, String.class);
    }

    Optional<String> findText(String key) {
        return find(key, String.class);
    }

    /** A text that is read again at each use, because the file that it refers to may change; the last one that could be read. */
    Optional<Supplier<String>> findChanging(String key) {
        Place at = place.child(key);
        return findText(key).map(AtomicReference::new).map(known -> () -> {
            at.findings().readAgain(at.path()).ifPresent(known::set);
            return known.get();
        });
    }

    Duration duration(String key) {
        return get(key, Duration.class);
    }

    int count(String key) {
        return get(key, Integer.class);
    }

    /** The file with the name that the key gives, relative to the configuration. */
    Optional<Path> file(String key) {
        return findText(key).map(place.findings().references()::resolve);
    }

    Map<String, String> texts(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        values.path(key)
                .properties()
                .forEach(each -> texts.put(each.getKey(), each.getValue().asString()));
        return texts;
    }

    List<String> list(String key) {
        return values.path(key).valueStream().<String>map(JsonNode::asString).toList();
    }

    /** Free values that the schema does not describe. */
    Optional<Map<String, Object>> tree(String key) {
        return Optional.ofNullable(values.get(key)).filter(JsonNode::isObject).map(Section::map);
    }

    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    private static Map<String, Object> map(JsonNode value) {
        return JsonMapper.shared().treeToValue(value, Map.class);
    }

    /** An empty section if the file has none. */
    Section section(String key) {
        return findSection(key).orElseGet(() -> new Section(JsonNodeFactory.instance.objectNode(), place.missing(key)));
    }

    Optional<Section> findSection(String key) {
        return Optional.ofNullable(sections().get(key));
    }

    /** Those of its values that are sections, by key. */
    Map<String, Section> sections() {
        Map<String, Section> sections = new LinkedHashMap<>();
        values.properties().forEach(each -> {
            if (each.getValue() instanceof ObjectNode section) {
                sections.put(each.getKey(), new Section(section, place.child(each.getKey())));
            }
        });
        return sections;
    }

    List<Section> items(String key) {
        return values.path(key)
                .valueStream()
                .map(each -> new Section((ObjectNode) each, place))
                .toList();
    }

    void mistake(String key, String what) {
        place.mistake(key, what);
    }
}
