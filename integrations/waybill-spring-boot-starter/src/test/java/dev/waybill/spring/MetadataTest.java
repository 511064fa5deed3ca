package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.boot.actuator.WaybillEndpointProperties;
import dev.waybill.spring.boot.actuator.WaybillHealthProperties;
import dev.waybill.spring.boot.check.KnownKeys;
import dev.waybill.spring.boot.properties.WaybillProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.annotation.AnnotatedElementUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors show about the keys. */
class MetadataTest {
    private static Map<String, JsonNode> metadata() throws IOException {
        Map<String, JsonNode> found = new TreeMap<>();
        try (InputStream file =
                WaybillProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonMapper.shared()
                    .readTree(file)
                    .path("properties")
                    .forEach(property -> found.put(property.path("name").asString(), property));
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(classes = {WaybillProperties.class, WaybillEndpointProperties.class, WaybillHealthProperties.class})
    void every_key_has_metadata_with_a_description(Class<?> section) throws IOException {
        Map<String, JsonNode> metadata = metadata();
        String prefix = AnnotatedElementUtils.findMergedAnnotation(section, ConfigurationProperties.class)
                .prefix();
        assertThat(KnownKeys.keys(section)).isNotEmpty().allSatisfy(key -> {
            assertThat(metadata).containsKey(prefix + "." + key);
            assertThat(metadata.get(prefix + "." + key).path("description").asString(""))
                    .endsWith(".");
        });
    }

    /** Editors take the keys below a name from the class that the metadata gives, and its Javadoc. */
    @Test
    void every_key_below_a_name_has_a_description() throws IOException {
        Map<String, JsonNode> metadata = metadata();
        List<String> missing = new ArrayList<>();
        int sections = 0;
        for (RecordComponent map : WaybillProperties.class.getRecordComponents()) {
            if (map.getGenericType() instanceof ParameterizedType type) {
                Class<?> value = (Class<?>) type.getActualTypeArguments()[1];
                assertThat(metadata.get("waybill." + map.getName()).path("type").asString())
                        .contains(value.getName());
                missing.addAll(undescribed(value));
                sections++;
            }
        }
        assertThat(sections).isEqualTo(4);
        assertThat(missing).isEmpty();
    }

    private static List<String> undescribed(Class<?> section) throws IOException {
        Class<?> outer = section.getNestHost();
        String source =
                Files.readString(Path.of("src/main/java", outer.getName().replace('.', '/') + ".java"));
        List<String> missing = new ArrayList<>();
        for (RecordComponent component : section.getRecordComponents()) {
            if (!source.contains("@param " + component.getName() + " ")) {
                missing.add(section.getSimpleName() + "." + component.getName());
            }
            if (component.getType().isRecord() && component.getType().getName().contains("waybill.spring")) {
                missing.addAll(undescribed(component.getType()));
            }
        }
        return missing;
    }
}
