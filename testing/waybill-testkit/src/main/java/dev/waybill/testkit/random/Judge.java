package dev.waybill.testkit.random;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Compares the events that a reader read with those that were committed. */
public final class Judge {
    /** A row of the journal, with the xid and seq that help to understand a loss. */
    public record Committed(ReadEvent event, String xid, long seq) {}

    private Judge() {}

    /** @param read in reading order */
    public static Verdict judge(List<Committed> committed, List<ReadEvent> read, WriterLog log) {
        Set<UUID> there = committed.stream().map(row -> row.event().id()).collect(Collectors.toSet());
        Set<UUID> seen = new LinkedHashSet<>();
        List<String> repeated = new ArrayList<>();
        List<String> ghosts = new ArrayList<>();
        List<ReadEvent> first = new ArrayList<>();
        for (ReadEvent event : read) {
            if (!seen.add(event.id())) {
                repeated.add(event.toString());
                continue;
            }
            first.add(event);
            if (!there.contains(event.id())) {
                ghosts.add(event.toString());
            }
        }
        List<String> lost = committed.stream()
                .filter(row -> !seen.contains(row.event().id()))
                .map(Committed::toString)
                .toList();
        return new Verdict(committed.size(), lost, repeated, ghosts, inversions(first), broken(there, log));
    }

    private static List<String> inversions(List<ReadEvent> firstReads) {
        Map<String, Long> highest = new HashMap<>();
        List<String> inversions = new ArrayList<>();
        for (ReadEvent event : firstReads) {
            long before = highest.merge(event.key(), event.n(), Math::max);
            if (before > event.n()) {
                inversions.add(event + " after " + before);
            }
        }
        return inversions;
    }

    /** Checks the server's answers to the writers, on which all other checks depend. */
    private static List<String> broken(Set<UUID> there, WriterLog log) {
        Set<UUID> vanished = new HashSet<>(log.ok());
        vanished.removeAll(there);
        Set<UUID> risen = new HashSet<>(log.failed());
        risen.retainAll(there);
        List<String> broken = new ArrayList<>();
        vanished.forEach(id -> broken.add(id + " was committed and is not there"));
        risen.forEach(id -> broken.add(id + " was rolled back and is there"));
        return broken;
    }
}
