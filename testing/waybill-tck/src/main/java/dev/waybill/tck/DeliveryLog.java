package dev.waybill.tck;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The appended and the delivered events of one run, and the checks on them. Thread-safe, because two owners may write
 * concurrently.
 */
final class DeliveryLog {
    private final List<String> committed = new ArrayList<>();
    private final Set<String> arrived = new LinkedHashSet<>();
    /** Dead events that did not hold their key: they arrive late, or never. */
    private final Set<String> passed = new HashSet<>();

    private final Set<String> discarded = new HashSet<>();
    private final Set<String> released = new HashSet<>();

    synchronized void committed(String... names) {
        committed.addAll(List.of(names));
    }

    synchronized void arrived(String name) {
        arrived.add(name);
    }

    /** Number of distinct events that arrived. */
    synchronized int arrivals() {
        return arrived.size();
    }

    /** Which of these did not arrive. */
    synchronized List<String> missing(String... names) {
        return Stream.of(names).filter(name -> !arrived.contains(name)).toList();
    }

    synchronized void passed(String name) {
        passed.add(name);
    }

    /** Dead events that are sent again before others of their key: from now on they count for the order. */
    synchronized void requeued(String... names) {
        List.of(names).forEach(passed::remove);
    }

    synchronized void discarded(String name) {
        discarded.add(name);
    }

    /** @return whether this is the first time */
    synchronized boolean releasedFirst(String name) {
        return released.add(name);
    }

    /** Lost events, ghosts, and keys whose first deliveries are out of order. */
    synchronized List<String> violations(boolean ordered) {
        List<String> found = new ArrayList<>();
        Set<String> lost = new LinkedHashSet<>(committed);
        lost.removeAll(arrived);
        lost.removeAll(discarded);
        if (!lost.isEmpty()) {
            found.add("lost: " + lost);
        }
        Set<String> ghosts = new LinkedHashSet<>(arrived);
        committed.forEach(ghosts::remove);
        if (!ghosts.isEmpty()) {
            found.add("rolled back and delivered: " + ghosts);
        }
        Map<String, List<String>> expected = byKey(committed);
        if (ordered && !expected.equals(byKey(arrived)) && lost.isEmpty() && ghosts.isEmpty()) {
            found.add("out of order: " + byKey(arrived) + " instead of " + expected);
        }
        return found;
    }

    private Map<String, List<String>> byKey(Iterable<String> names) {
        Map<String, List<String>> keys = new LinkedHashMap<>();
        for (String name : names) {
            if (!passed.contains(name) && !discarded.contains(name)) {
                keys.computeIfAbsent(EventBook.keyOf(name), key -> new ArrayList<>())
                        .add(name);
            }
        }
        return keys;
    }
}
