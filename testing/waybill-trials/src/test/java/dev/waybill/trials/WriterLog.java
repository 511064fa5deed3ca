package dev.waybill.trials;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** What the writers know about their events: committed, rolled back, or unknown. */
final class WriterLog {
    private final Set<UUID> ok = ConcurrentHashMap.newKeySet();
    private final Set<UUID> failed = ConcurrentHashMap.newKeySet();
    private final Set<UUID> unknown = ConcurrentHashMap.newKeySet();

    void ok(Collection<UUID> events) {
        ok.addAll(events);
    }

    void failed(Collection<UUID> events) {
        failed.addAll(events);
    }

    void unknown(Collection<UUID> events) {
        unknown.addAll(events);
    }

    Set<UUID> ok() {
        return ok;
    }

    Set<UUID> failed() {
        return failed;
    }

    Set<UUID> unknown() {
        return unknown;
    }
}
