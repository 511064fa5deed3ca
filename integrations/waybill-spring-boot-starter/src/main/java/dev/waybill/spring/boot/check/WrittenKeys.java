package dev.waybill.spring.boot.check;

import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Which keys the configuration contains, as opposed to those that have their default. */
final class WrittenKeys {
    private final Set<String> names = new TreeSet<>();

    void add(ConfigurationPropertyName name) {
        names.add(name.toString());
    }

    /** The keys directly under a section. */
    Set<String> under(ConfigurationPropertyName section) {
        Set<String> keys = new TreeSet<>();
        for (String name : names) {
            ConfigurationPropertyName written = ConfigurationPropertyName.of(name);
            if (section.isAncestorOf(written)) {
                keys.add(written.getElement(section.getNumberOfElements(), ConfigurationPropertyName.Form.ORIGINAL));
            }
        }
        return keys;
    }
}
