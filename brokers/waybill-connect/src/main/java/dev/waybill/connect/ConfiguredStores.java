package dev.waybill.connect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stores of a connector, each with the configuration of its task. */
final class ConfiguredStores {
    /** In the configuration of a task: which store it reads. */
    static final String OF_TASK = "task.store";

    /** The name of the only store. */
    private static final String ONLY = "store";

    private static final String PREFIX = ConnectorKeys.STORES + ".";

    private ConfiguredStores() {}

    static List<String> names(Map<String, String> connector) {
        List<String> names = new ArrayList<>();
        for (String name : Optional.ofNullable(connector.get(ConnectorKeys.STORES))
                .orElse("")
                .split(",", -1)) {
            if (!name.isBlank()) {
                names.add(name.strip());
            }
        }
        return names.isEmpty() ? List.of(ONLY) : names;
    }

    /**
     * The configuration of each task: that of the connector, with the name of a store. Values keep their keys, because Connect stores
     * them, and writes the variables of secrets back by their keys.
     */
    static List<Map<String, String>> tasks(Map<String, String> connector) {
        return names(connector).stream()
                .map(name -> {
                    Map<String, String> task = new HashMap<>(connector);
                    task.put(OF_TASK, name);
                    return task;
                })
                .toList();
    }

    /** The key for all stores that a key of one of them takes precedence over; other keys as they are. */
    static String general(String key, List<String> names) {
        for (String name : names) {
            String own = PREFIX + name + ".";
            if (key.startsWith(own)) {
                return ConnectorKeys.STORE + key.substring(own.length());
            }
        }
        return key;
    }

    static String nameOf(Map<String, String> task) {
        return task.getOrDefault(OF_TASK, ONLY);
    }

    /** The configuration of a task in which the values of its own store have replaced those for all stores. */
    static Map<String, String> ofTask(Map<String, String> task) {
        Map<String, String> effective = new HashMap<>(task);
        List<String> own = List.of(nameOf(task));
        task.forEach((key, value) -> {
            String general = general(key, own);
            if (!general.equals(key)) {
                effective.put(general, value);
            }
        });
        return effective;
    }
}
