package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.WaybillProperties;
import java.util.ArrayList;
import java.util.List;
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
        return mistakes;
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
