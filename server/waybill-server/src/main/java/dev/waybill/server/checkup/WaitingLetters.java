package dev.waybill.server.checkup;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.Finding;
import dev.waybill.server.config.Installation;
import dev.waybill.server.config.LikelyTopics;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.ShellWord;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import dev.waybill.spi.Counted;
import dev.waybill.spi.SourceException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Numbers of dead letters that wait for an operator, by destination, topic and consumer. */
public final class WaitingLetters {
    private static final String SUBJECT = "dead letters";
    /** Consumers that are listed for a topic, those with the most letters. Their names come from letters, which anybody may write. */
    private static final int MOST_CONSUMERS = 100;

    private final List<Line> lines = new ArrayList<>();
    /** Destinations whose dead letters cannot be counted, with the reason. */
    private final Map<String, String> unknown = new LinkedHashMap<>();

    /**
     * @param consumer empty if the broker tells only the total, or for consumers that are not listed
     * @param more how many consumers are not listed one by one; 0 for any other line
     * @param letters a lower bound unless {@code exact}
     */
    private record Line(
            String destination, String topic, Optional<String> consumer, int more, long letters, boolean exact) {}

    /** @param more how many others there are, with the number of their letters */
    private record Consumers(Map<String, Long> listed, int more, long lettersOfMore) {
        static Consumers of(DeadLetterCount count) {
            Map<String, Long> listed = new TreeMap<>();
            count.byConsumer().entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST_CONSUMERS)
                    .forEach(one -> listed.put(one.getKey(), one.getValue()));
            return new Consumers(
                    listed, count.byConsumer().size() - listed.size(), sum(count.byConsumer()) - sum(listed));
        }

        private static long sum(Map<String, Long> letters) {
            return letters.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** All dead letters of a destination's consumers. */
    public void add(Installation installation, String destination) {
        add(
                destination,
                installation.countDeadLetters(
                        destination, LikelyTopics.of(installation, destination), DeadLetterCount.COUNTED));
    }

    public void add(String destination, List<DeadLetterCount> counts) {
        for (DeadLetterCount count : counts) {
            String topic = count.topic();
            if (count.byConsumer().isEmpty()) {
                lines.add(new Line(destination, topic, Optional.empty(), 0, count.letters(), count.exact()));
            }
            Consumers consumers = Consumers.of(count);
            consumers
                    .listed()
                    .forEach((consumer, letters) ->
                            lines.add(new Line(destination, topic, Optional.of(consumer), 0, letters, count.exact())));
            if (consumers.more() > 0) {
                lines.add(new Line(
                        destination,
                        topic,
                        Optional.empty(),
                        consumers.more(),
                        consumers.lettersOfMore(),
                        count.exact()));
            }
        }
    }

    /** The dead letters of a destination that cannot be counted. */
    public void addUnknown(String destination, String why) {
        unknown.put(destination, why);
    }

    public boolean isEmpty() {
        return lines.isEmpty() && unknown.isEmpty();
    }

    public Table table() {
        Table table = new Table()
                .column("DESTINATION")
                .column("DEAD-LETTER TOPIC")
                .textColumn("CONSUMER")
                .numberColumn("LETTERS");
        for (Line line : lines) {
            table.row(
                    Cell.of(line.destination()),
                    Cell.of(line.topic()),
                    line.more() > 0
                            ? Cell.of("and " + Cell.grouped(line.more()) + " more")
                            : Cell.of(line.consumer().map(WaitingLetters::named)),
                    new Cell(
                            (line.exact() ? "" : "> ") + Cell.grouped(line.letters()),
                            line.letters() == 0 ? Tone.PLAIN : Tone.BAD));
        }
        Cell nothing = Cell.of("-");
        unknown.keySet()
                .forEach(destination ->
                        table.row(Cell.of(destination), nothing, nothing, new Cell("unknown", Tone.WARN)));
        return table;
    }

    public List<Map<String, Object>> json() {
        List<Map<String, Object>> all = new ArrayList<>();
        lines.forEach(line -> all.add(json(line)));
        unknown.forEach((destination, why) -> all.add(Map.of("destination", destination, "error", why)));
        return all;
    }

    private static Map<String, Object> json(Line line) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("destination", line.destination());
        one.put("topic", line.topic());
        line.consumer().ifPresent(consumer -> one.put("consumer", consumer));
        if (line.more() > 0) {
            one.put("moreConsumers", line.more());
        }
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
                        list(destination, count.topic()) + " reads further back."));
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

    /** Counting would take them. */
    static Finding notCounted(String destination) {
        return Finding.fine(
                SUBJECT,
                "not counted here, because that withholds them from others for a while: waybill dead-letters count"
                        + " --destination " + ShellWord.of(destination, "NAME") + " does");
    }

    static Finding waiting(String destination, DeadLetterCount count) {
        Consumers found = Consumers.of(count);
        List<String> consumers = new ArrayList<>();
        found.listed().forEach((consumer, letters) -> consumers.add(Cell.grouped(letters) + " of " + named(consumer)));
        if (found.more() > 0) {
            consumers.add("and " + Cell.grouped(found.lettersOfMore()) + " of "
                    + Counted.of(found.more(), "more consumer", "more consumers"));
        }
        return Finding.warning(
                SUBJECT,
                count.topic() + ": " + (count.exact() ? "" : "more than ")
                        + Counted.of(count.letters(), "letter waits", "letters wait") + " for an operator"
                        + (consumers.isEmpty() ? "" : " (" + String.join(", ", consumers) + ")"),
                list(destination, count.topic())
                        + " shows them with their errors; then waybill dead-letters send-back or discard.");
    }

    /** A command to paste: whoever may create a queue chooses its name. */
    private static String list(String destination, String topic) {
        String word = ShellWord.of(topic, "TOPIC");
        String from = " --destination " + ShellWord.of(destination, "NAME");
        return "waybill dead-letters list" + (topic.startsWith("-") ? from + " -- " + word : " " + word + from);
    }

    private static String named(String consumer) {
        return consumer.isEmpty() ? "unknown" : consumer;
    }
}
