package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayDefaults;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.relay.RelayOptions;
import dev.waybill.spring.boot.check.KnownKeys;
import dev.waybill.spring.boot.properties.ConsumerProperties;
import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.DestinationProperties.DestinationType;
import dev.waybill.spring.boot.properties.LayoutProperties;
import dev.waybill.spring.boot.properties.RelayProperties;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The keys and defaults under {@code waybill.*} are those of {@code waybill.yaml}. */
class SameKeysTest {
    private static final Path SCHEMA =
            Path.of("../../server/waybill-server/src/main/resources/dev/waybill/server/config/waybill.schema.json");

    private static final JsonNode DEFINITIONS = read().get("definitions");

    /** Only here: where the application appends, and what happens at its start. */
    private static final Set<String> OF_APPLICATIONS =
            Set.of("data-source", "schema", "retention", "max-payload-bytes", "lock-keys");

    /** There it is a key of relays, though it belongs to the store; here it is the client of the application. */
    private static final Set<String> ELSEWHERE = Set.of("retention", "uri", "database", "tls");

    /** An application counts letters, which does not read them. */
    private static final Set<String> OF_LISTINGS = Set.of("letter-readings");

    private static JsonNode read() {
        return new ObjectMapper().readTree(SCHEMA.toFile());
    }

    @ParameterizedTest
    @EnumSource(StoreType.class)
    void a_store_has_the_keys_of_its_type(StoreType type) {
        Set<String> here = new TreeSet<>(KnownKeys.of(type));
        here.removeAll(OF_APPLICATIONS);
        assertThat(here).isEqualTo(keys(written(type), ELSEWHERE));
        assertThat(KnownKeys.keys(StoreProperties.class)).containsAll(here);
    }

    @ParameterizedTest
    @EnumSource(DestinationType.class)
    void a_destination_has_the_keys_of_its_type(DestinationType type) {
        assertThat(new TreeSet<>(KnownKeys.of(type))).isEqualTo(keys(written(type), OF_LISTINGS));
        assertThat(KnownKeys.keys(DestinationProperties.class)).containsAll(KnownKeys.of(type));
    }

    @Test
    void a_relay_has_the_same_keys() {
        Set<String> here = new TreeSet<>(KnownKeys.keys(RelayProperties.class));
        here.remove("auto-startup");
        assertThat(here).isEqualTo(keys("relay", Set.of("retention")));
        assertThat(KnownKeys.keys(LayoutProperties.class)).isEqualTo(keys("layout", Set.of()));
    }

    @Test
    void defaults_are_the_same() {
        Map<String, String> there = new TreeMap<>();
        Map<String, String> here = new TreeMap<>();
        Stream.of("postgres-journal", "table", "mongodb").forEach(type -> defaults(DEFINITIONS.get(type), "", there));
        defaults(StoreProperties.class, "", here);
        here.keySet().removeAll(Set.of("schema", "max-payload-bytes", "lock-keys"));
        assertThat(here).isEqualTo(there);

        there.clear();
        here.clear();
        Stream.of("kafka", "rabbitmq", "pubsub").forEach(type -> defaults(DEFINITIONS.get(type), "", there));
        defaults(DestinationProperties.class, "", here);
        there.remove("topology.bindings[].key");
        there.keySet().removeAll(OF_LISTINGS);
        assertThat(here).isEqualTo(there);

        there.clear();
        here.clear();
        defaults(DEFINITIONS.get("relay"), "", there);
        defaults(RelayProperties.class, "", here);
        here.remove("auto-startup");
        // these follow the store
        there.keySet().removeIf(key -> key.equals("batch") || key.startsWith("poll.") || key.startsWith("retry."));
        assertThat(here).isEqualTo(there);
    }

    @Test
    void without_any_key_a_relay_and_a_consumer_have_the_defaults_of_the_engine() {
        Binder nothing = new Binder(new MapConfigurationPropertySource(Map.of()));
        assertThat(nothing.bindOrCreate("x", RelayProperties.class).options(RelayDefaults.standard(), Optional.empty()))
                .isEqualTo(RelayOptions.defaults());
        assertThat(nothing.bindOrCreate("x", ConsumerProperties.class).options())
                .isEqualTo(ConsumerOptions.defaults());
        StoreProperties store = nothing.bindOrCreate("x", StoreProperties.class);
        assertThat(OutboxOptions.defaults().maxPayloadBytes()).isEqualTo(store.maxPayloadBytes());
        assertThat(OutboxOptions.defaults().lockKeys()).isEqualTo(store.lockKeys());
    }

    private static String written(Enum<?> type) {
        return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Set<String> keys(String definition, Set<String> without) {
        Set<String> keys =
                new TreeSet<>(DEFINITIONS.get(definition).get("properties").propertyNames());
        keys.removeAll(without);
        return keys;
    }

    private static void defaults(JsonNode section, String path, Map<String, String> found) {
        section.path("properties").properties().forEach(property -> {
            JsonNode value = property.getValue();
            if (value.has("default")) {
                found.put(path + property.getKey(), value.get("default").asString());
            }
            defaults(value, path + property.getKey() + ".", found);
        });
    }

    private static void defaults(Class<?> section, String path, Map<String, String> found) {
        RecordComponent[] components = section.getRecordComponents();
        var parameters = section.getDeclaredConstructors()[0].getParameters();
        Arrays.stream(components).forEach(component -> {
            int index = Arrays.asList(components).indexOf(component);
            DefaultValue value = parameters[index].getAnnotation(DefaultValue.class);
            String key = path + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (value != null && value.value().length > 0) {
                found.put(key, value.value()[0]);
            }
            if (component.getType().isRecord()) {
                defaults(component.getType(), key + ".", found);
            }
        });
    }
}
