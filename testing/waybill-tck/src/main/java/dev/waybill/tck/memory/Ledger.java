package dev.waybill.tck.memory;

import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.PurgeStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The complete state of the store. Positions are assigned at commit, so a transaction that saw another's commit gets a
 * higher position, and a transaction that commits late is placed after events read meanwhile, never before them.
 *
 * <p>Callers of all methods must hold the ledger's monitor.
 */
final class Ledger {
    private final InstantSource clock;
    private final NavigableMap<Long, MemoryEvent> byPosition = new TreeMap<>();
    private final Map<String, MemoryEvent> byId = new HashMap<>();
    private final Set<String> idsInOpenTransactions = new HashSet<>();
    private final Map<RelayName, RelayState> relays = new LinkedHashMap<>();
    private final Map<RelayName, Actor> dropped = new HashMap<>();
    private final Deque<AuditEntry> audit = new ArrayDeque<>();
    private final MemoryProcesses processes = new MemoryProcesses(this);
    private long lastPosition;

    Ledger(InstantSource clock) {
        this.clock = clock;
    }

    /** An event whose transaction has not committed yet. */
    record Entry(Event event, Instant createdAt) {}

    Instant now() {
        return clock.instant();
    }

    /** Takes the monitor by itself. */
    MemoryProcesses processes() {
        return processes;
    }

    // ---- transactions

    Entry enter(Event event) {
        idsInOpenTransactions.add(event.id());
        return new Entry(event, now());
    }

    boolean isInOpenTransaction(String id) {
        return idsInOpenTransactions.contains(id);
    }

    void commit(List<Entry> entries) {
        forget(entries);
        for (Entry entry : entries) {
            MemoryEvent event = new MemoryEvent(++lastPosition, entry.event(), entry.createdAt());
            byPosition.put(event.position(), event);
            byId.put(entry.event().id(), event);
        }
    }

    void forget(List<Entry> entries) {
        entries.forEach(entry -> idsInOpenTransactions.remove(entry.event().id()));
    }

    // ---- events

    Optional<MemoryEvent> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    long lastPosition() {
        return lastPosition;
    }

    Collection<MemoryEvent> after(long position) {
        return byPosition.tailMap(position, false).values();
    }

    /** Newest first. */
    Collection<MemoryEvent> before(long position) {
        return byPosition.headMap(position, false).descendingMap().values();
    }

    /** An event is done if every relay has published it and none has it parked; without relays no event is done. */
    PurgeStep purge(Duration olderThan, int atMost) {
        long donePosition =
                relays().stream().mapToLong(RelayState::position).min().orElse(0);
        Instant youngest = now().minus(olderThan);
        List<MemoryEvent> done = byPosition.headMap(donePosition, true).values().stream()
                .filter(event -> !event.createdAt().isAfter(youngest))
                .filter(event -> relays.values().stream()
                        .noneMatch(relay -> relay.parking().holds(event.position()) || relay.isStillToSend(event)))
                .limit(atMost + 1L)
                .toList();
        List<MemoryEvent> step = done.subList(0, Math.min(atMost, done.size()));
        step.forEach(event -> {
            byPosition.remove(event.position());
            byId.remove(event.event().id());
        });
        return new PurgeStep(step.size(), done.size() > atMost);
    }

    // ---- relays

    /** Relays without replays. */
    List<RelayState> relays() {
        return all().filter(relay -> relay.replay().isEmpty()).toList();
    }

    /** Relays, and replays. */
    Stream<RelayState> all() {
        return relays.values().stream();
    }

    /** Events that a replay has not read yet. */
    Stream<MemoryEvent> stillToSend(RelayState replay) {
        return after(replay.position()).stream().filter(replay::isAbout);
    }

    Optional<RelayState> relay(RelayName name) {
        return Optional.ofNullable(relays.get(name));
    }

    RelayState relayOrNew(RelayName name) {
        return relays.computeIfAbsent(name, RelayState::new);
    }

    /** The name of a relay stays reserved until {@link #restore}; the name of a replay does not. */
    void drop(RelayName name, Actor by) {
        RelayState gone = relays.remove(name);
        if (gone != null && gone.replay().isEmpty()) {
            dropped.put(name, by);
        }
    }

    Optional<Actor> droppedBy(RelayName name) {
        return relays.containsKey(name) ? Optional.empty() : Optional.ofNullable(dropped.get(name));
    }

    boolean restore(RelayName name) {
        return dropped.remove(name) != null;
    }

    // ---- audit

    /** @param relay empty if the entry concerns no single relay */
    void audit(Actor by, String action, String relay, String details) {
        audit.addFirst(new AuditEntry(Integer.toString(audit.size()), now(), by, action, relay, details));
    }

    List<AuditEntry> audit(Optional<String> after, int atMost) {
        long before = EventQuery.number(after);
        return audit.stream()
                .filter(entry -> Long.parseLong(entry.cursor()) < before)
                .limit(atMost)
                .toList();
    }
}
