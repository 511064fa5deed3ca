package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.OneName;
import dev.waybill.spring.boot.properties.WaybillProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Checks what the binding cannot: beans that stores refer to, and keys that do not apply to a kind of store or destination. Relays
 * and consumers are checked when they are planned, which needs to know the brokers.
 */
final class ConfigurationCheck {
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(WaybillProperties.PREFIX);

    private final WaybillProperties properties;
    private final WrittenKeys written;
    private final KnownBeans beans;
    private final List<Mistake> mistakes = new ArrayList<>();

    ConfigurationCheck(WaybillProperties properties, WrittenKeys written, KnownBeans beans) {
        this.properties = properties;
        this.written = written;
        this.beans = beans;
    }

    List<Mistake> mistakes() {
        properties.stores().forEach((name, store) -> {
            ConfigurationPropertyName path = section("stores", name);
            mistakes.addAll(new StoreCheck(path, store, written.under(path), beans).mistakes());
        });
        properties.destinations().forEach(this::destination);
        requireOneSpelling("stores", properties.stores().keySet());
        requireOneSpelling("destinations", properties.destinations().keySet());
        requireOneSpelling("relays", properties.relays().keySet());
        requireOneSpelling("consumers", properties.consumers().keySet());
        return mistakes;
    }

    /** A second spelling would be a second relay, with a position of its own, that publishes everything again. */
    private void requireOneSpelling(String kind, Collection<String> names) {
        names.stream()
                .collect(Collectors.groupingBy(OneName::inVariables, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(spellings -> spellings.size() > 1)
                .forEach(spellings -> mistakes.add(new Mistake(
                        ROOT.append(kind).toString(),
                        spellings.stream().sorted().toList()
                                + " are one name to Spring, so that each would have the keys of all: write the name in the"
                                + " same way everywhere")));
    }

    private static ConfigurationPropertyName section(String kind, String name) {
        boolean plain = ConfigurationPropertyName.isValid(name) && name.indexOf('.') < 0;
        return ROOT.append(kind).append(plain ? name : "[" + name + "]");
    }

    private void destination(String name, DestinationProperties destination) {
        ConfigurationPropertyName path = section("destinations", name);
        if (destination.type() == null) {
            mistakes.add(new Mistake(path.append("type").toString(), "required: kafka, rabbitmq or pubsub"));
            return;
        }
        for (String key : written.under(path)) {
            if (!KnownKeys.of(destination.type()).contains(key)) {
                mistakes.add(new Mistake(
                        path.append(key).toString(),
                        "does not apply to type " + Expectation.written(destination.type())));
            }
        }
    }
}
