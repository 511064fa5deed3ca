package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.Finding;
import dev.waybill.server.config.Installation;
import dev.waybill.server.config.LikelyTopics;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import dev.waybill.spi.Counted;
import dev.waybill.spi.SourceException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Numbers of dead letters that wait for an operator, by destination, topic and consumer. */
final class WaitingLetters {
    private static final String SUBJECT = "dead letters";

    private final List<Line> lines = new ArrayList<>();

    /**
     * @param consumer empty if the broker tells only the total
     * @param letters a lower bound unless {@code exact}
     */
    private record Line(String destination, String topic, Optional<String> consumer, long letters, boolean exact) {}

    /** All dead letters of a destination's consumers. */
    void add(Installation installation, String destination) {
        add(
                destination,
                installation.countDeadLetters(
                        destination, LikelyTopics.of(installation, destination), DeadLetterCount.COUNTED));
    }

    void add(String destination, List<DeadLetterCount> counts) {
        for (DeadLetterCount count : counts) {
            if (count.byConsumer().isEmpty()) {
                lines.add(new Line(destination, count.topic(), Optional.empty(), count.letters(), count.exact()));
            }
            new TreeMap<>(count.byConsumer())
                    .forEach((consumer, letters) -> lines.add(
                            new Line(destination, count.topic(), Optional.of(consumer), letters, count.exact())));
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    Table table() {
        Table table = new Table()
                .column("DESTINATION")
                .column("DEAD-LETTER TOPIC")
                .textColumn("CONSUMER")
                .numberColumn("LETTERS");
        for (Line line : lines) {
            table.row(
                    Cell.of(line.destination()),
                    Cell.of(line.topic()),
                    Cell.of(line.consumer().map(WaitingLetters::named)),
                    new Cell(
                            (line.exact() ? "" : "> ") + Cell.grouped(line.letters()),
                            line.letters() == 0 ? Tone.PLAIN : Tone.BAD));
        }
        return table;
    }

    List<Map<String, Object>> json() {
        return lines.stream().map(WaitingLetters::json).toList();
    }

    private static Map<String, Object> json(Line line) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("destination", line.destination());
        one.put("topic", line.topic());
        line.consumer().ifPresent(consumer -> one.put("consumer", consumer));
        one.put("letters", line.letters());
        one.put("exact", line.exact());
        return one;
    }

    /** What the doctor says of a destination's dead letters. */
    static List<Finding> examine(Installation installation, String destination, Set<String> origins) {
        Set<String> configured = installation.deadLetterTopics(destination);
        List<DeadLetterCount> counts;
        try {
            counts = installation.countDeadLetters(destination, origins, DeadLetterCount.COUNTED);
        } catch (SourceException e) {
            return List.of(Finding.warning(
                    SUBJECT,
                    "they cannot be counted: " + e.getMessage(),
                    "Grant this client access to the dead-letter topics, or check again later."));
        }
        List<Finding> findings = new ArrayList<>();
        Set<String> missing = new TreeSet<>(configured);
        for (DeadLetterCount count : counts) {
            missing.remove(count.topic());
            if (count.letters() > 0) {
                findings.add(waiting(destination, count));
            } else if (!count.exact()) {
                findings.add(Finding.warning(
                        SUBJECT,
                        count.topic() + ": none among the newest, and it has too many messages to count the others",
                        "waybill dead-letters list " + count.topic() + " --destination " + destination
                                + " reads further back."));
            }
        }
        missing.forEach(topic -> findings.add(Finding.warning(
                SUBJECT,
                topic + " does not exist",
                "Create it, or correct dead-letters in the configuration: a consumer without it cannot give up.")));
        if (findings.isEmpty()) {
            findings.add(Finding.fine(SUBJECT, "none in " + Counted.of(counts.size(), "dead-letter topic")));
        }
        return findings;
    }

    private static Finding waiting(String destination, DeadLetterCount count) {
        List<String> consumers = new ArrayList<>();
        new TreeMap<>(count.byConsumer())
                .forEach((consumer, letters) -> consumers.add(Cell.grouped(letters) + " of " + named(consumer)));
        return Finding.warning(
                SUBJECT,
                count.topic() + ": " + (count.exact() ? "" : "more than ")
                        + Counted.of(count.letters(), "letter waits", "letters wait") + " for an operator"
                        + (consumers.isEmpty() ? "" : " (" + String.join(", ", consumers) + ")"),
                "waybill dead-letters list " + count.topic() + " --destination " + destination
                        + " shows them with their errors; then waybill dead-letters send-back or discard.");
    }

    private static String named(String consumer) {
        return consumer.isEmpty() ? "unknown" : consumer;
    }
}
