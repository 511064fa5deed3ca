package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.properties.ConsumerProperties;
import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.DestinationProperties.DestinationType;
import dev.waybill.spring.boot.properties.RelayProperties;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.properties.WaybillProperties;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** Which keys there are, and which of them belong to which kind of store or destination. */
public final class KnownKeys {
    private static final Set<String> OF_EVERY_STORE =
            Set.of("type", "data-source", "schema", "retention", "max-payload-bytes");
    private static final Set<String> OF_JDBC = Set.of("url", "user", "password", "lock-keys");
    private static final Map<StoreType, Set<String>> OF_STORES = Map.of(
            StoreType.POSTGRES_JOURNAL, Set.of("start", "save", "wait-for", "standbys", "environment"),
            StoreType.TABLE, Set.of("layout", "competing", "on-permanent-error", "guard", "created"),
            StoreType.MONGODB, Set.of("collection", "lock"));
    private static final Map<DestinationType, Set<String>> OF_DESTINATIONS = Map.of(
            DestinationType.KAFKA,
            Set.of("type", "properties", "dead-letters", "delivery-timeout", "topic-timeout", "positions-topic"),
            DestinationType.RABBITMQ,
            Set.of(
                    "type",
                    "uri",
                    "user",
                    "password",
                    "exchange",
                    "exchanges",
                    "tls",
                    "topology",
                    "dead-letters",
                    "max-message-bytes",
                    "confirm-timeout",
                    "connect-timeout"),
            DestinationType.PUBSUB,
            Set.of(
                    "type",
                    "project",
                    "emulator",
                    "endpoint",
                    "credentials",
                    "dead-letters",
                    "delivery-timeout",
                    "in-flight"));

    private KnownKeys() {}

    public static Set<String> of(StoreType type) {
        Set<String> keys = new TreeSet<>(OF_EVERY_STORE);
        keys.addAll(OF_STORES.getOrDefault(type, Set.of()));
        if (type != StoreType.MONGODB) {
            keys.addAll(OF_JDBC);
        }
        return keys;
    }

    public static Set<String> of(DestinationType type) {
        return OF_DESTINATIONS.getOrDefault(type, Set.of());
    }

    static String unknown(ConfigurationPropertyName name) {
        return keysBeside(name)
                .map(keys -> {
                    String wrong = name.getLastElement(Form.DASHED);
                    String nearest = keys.stream()
                            .min(Comparator.comparingInt(key -> distance(key, wrong)))
                            .orElse("");
                    return distance(nearest, wrong) <= 1 + wrong.length() / 4
                            ? "there is no such key; did you mean " + nearest + "?"
                            : "there is no such key; there are " + String.join(", ", keys);
                })
                .orElse("there is no such key");
    }

    /** The keys of the section that the name is in. */
    private static Optional<Set<String>> keysBeside(ConfigurationPropertyName name) {
        Class<?> section = WaybillProperties.class;
        for (int i = 1; i < name.getNumberOfElements() - 1; i++) {
            Optional<Class<?>> inner = inner(section, name.getElement(i, Form.DASHED));
            if (inner.isEmpty()) {
                return Optional.empty();
            }
            section = inner.get();
            if (isNamed(section)) {
                i++; // the name of the store, destination, relay or consumer
            }
        }
        return Optional.of(keys(section));
    }

    private static boolean isNamed(Class<?> section) {
        return Set.of(
                        StoreProperties.class,
                        DestinationProperties.class,
                        RelayProperties.class,
                        ConsumerProperties.class)
                .contains(section);
    }

    private static Optional<Class<?>> inner(Class<?> section, String key) {
        return Arrays.stream(section.getRecordComponents())
                .filter(component -> dashed(component.getName()).equals(key))
                .<Class<?>>map(component -> component.getGenericType() instanceof ParameterizedType map
                                && map.getActualTypeArguments().length == 2
                                && map.getActualTypeArguments()[1] instanceof Class<?> value
                        ? value
                        : component.getType())
                .filter(Class::isRecord)
                .findFirst();
    }

    /** The keys of a section, as they are written. */
    public static Set<String> keys(Class<?> section) {
        return Arrays.stream(section.getRecordComponents())
                .map(RecordComponent::getName)
                .map(KnownKeys::dashed)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Number of characters to insert, delete or replace. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
