package dev.waybill.trials;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Compares the messages in Kafka with the events in the database and with what the writers know. */
final class Checker {
    private final Map<UUID, Committed> committed;
    private final WriterLog log;

    private final Set<UUID> seen = new HashSet<>();
    private final List<String> ghosts = new ArrayList<>();
    private final List<String> inversions = new ArrayList<>();
    private final Map<String, Long> highest = new HashMap<>();
    private long duplicates;

    private Checker(Map<UUID, Committed> committed, WriterLog log) {
        this.committed = committed;
        this.log = log;
    }

    /**
     * @param stream all messages of every topic from the beginning, each partition in order
     */
    static Verdict judge(Map<UUID, Committed> committed, WriterLog log, List<Delivered> stream) {
        Checker checker = new Checker(committed, log);
        stream.forEach(checker::take);
        return checker.verdict();
    }

    private void take(Delivered message) {
        UUID id = message.eventId();
        if (!seen.add(id)) {
            duplicates++;
            return;
        }
        Committed event = committed.get(id);
        if (event == null || log.failed().contains(id)) {
            ghosts.add(message.toString());
        }
        if (event != null) {
            long before = highest.merge(message.topic() + " " + event.key(), event.revision(), Math::max);
            if (before > event.revision()) {
                inversions.add(
                        message + " is revision " + event.revision() + " of " + event.key() + ", after " + before);
            }
        }
    }

    private Verdict verdict() {
        Set<UUID> due = new HashSet<>(committed.keySet());
        due.addAll(log.ok());
        List<String> lost = due.stream()
                .filter(id -> !seen.contains(id))
                .map(id -> id + " " + committed.get(id) + (log.ok().contains(id) ? ", ok" : ", unknown"))
                .toList();
        long recovered = log.unknown().stream().filter(seen::contains).count();
        return new Verdict(due.size(), lost, ghosts, inversions, duplicates, recovered);
    }
}
