package dev.waybill.server.operation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an operation changes.
 *
 * @param action such as {@code requeue}
 * @param where for example the store and the relay, by kind
 * @param words the selection, for people
 */
public record Target(String action, Map<String, String> where, String words) {
    /** The store or destination, for people. */
    String place() {
        Map.Entry<String, String> first = where.entrySet().iterator().next();
        return first.getKey() + " " + first.getValue();
    }

    public static Target events(String action, String store, String relay, String words) {
        return new Target(action, ordered("store", store, "relay", relay), words);
    }

    public static Target letters(String action, String destination, String topic, String words) {
        return new Target(action, ordered("destination", destination, "topic", topic), words);
    }

    private static Map<String, String> ordered(String kind, String name, String otherKind, String otherName) {
        Map<String, String> where = new LinkedHashMap<>();
        where.put(kind, name);
        where.put(otherKind, otherName);
        return where;
    }
}
