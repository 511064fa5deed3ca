package dev.waybill.example.polyshop.driver;

import java.util.Set;

/** Which processes chaos may kill. */
record Victims(Set<String> names) {
    /** Every service, and the process that publishes for Node.js and Python. */
    static final Victims ALL = new Victims(Set.of());

    boolean includes(String name) {
        return names.isEmpty() || names.contains(name);
    }
}
