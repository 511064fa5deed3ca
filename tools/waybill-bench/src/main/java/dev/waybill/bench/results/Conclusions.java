package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Variation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sentences of the page that depend on the results. */
final class Conclusions {
    private static final String INDENT = "  ";
    private static final int WIDTH = 125;

    private final Results results;

    private Conclusions(Results results) {
        this.results = results;
    }

    static Conclusions of(Results results) {
        return new Conclusions(results);
    }

    /** Replaces the lines with a name in braces; where nothing was measured, the line is left out. */
    String fill(String text) {
        Map<String, String> sentences = Map.of(
                "{behind the overlapped pipe}", behindPipe(),
                "{rounds of the journal}", roundsOfJournal(),
                "{multiples of Debezium}", multiplesOfDebezium(),
                "{rounds of Debezium}", roundsOfDebezium(),
                "{rounds of backlogs}", roundsOfBacklogs(),
                "{goal of append}", goalOfAppend(),
                "{latency with a distant server}", distantLatency());
        return text.lines()
                .flatMap(line -> sentences.containsKey(line.strip())
                        ? wrapped(sentences.get(line.strip())).stream()
                        : List.of(line).stream())
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> wrapped(String sentence) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : sentence.isEmpty() ? new String[0] : sentence.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? INDENT : " ").append(word);
        }
        if (line.length() > 0) {
            lines.add(line.toString());
        }
        return lines;
    }

    /** The drain of a system in each variation in which it was measured, by the name of the variation. */
    private Map<String, Drain> variationsOf(String system) {
        Map<String, Drain> drains = new LinkedHashMap<>();
        for (Variation each : results.variations()) {
            if (each.drain().system().equals(system)) {
                drains.put(each.what() + " " + each.value(), each.drain());
            }
        }
        return drains;
    }

    private String behindPipe() {
        Map<String, Drain> pipe = variationsOf(Results.OVERLAPPED);
        Map<String, Drain> journal = variationsOf(Results.JOURNAL);
        journal.keySet().retainAll(pipe.keySet());
        if (journal.isEmpty()) {
            return "";
        }
        List<String> behind = new ArrayList<>();
        journal.forEach((name, drain) -> {
            double ratio = drain.rate() / Objects.requireNonNull(pipe.get(name)).rate();
            if (ratio < 1) {
                behind.add(String.format(Locale.ROOT, "%s (%.2f)", name, ratio));
            }
        });
        String count = "In the tables of the other parts, the journal is behind the overlapped pipe in " + behind.size()
                + " of " + journal.size() + " drains";
        return behind.isEmpty()
                ? count + "."
                : count + "; its rate divided by that of the pipe: " + String.join("; ", behind) + ".";
    }

    private String roundsOfJournal() {
        Optional<Drain> journal = results.drain(Results.JOURNAL);
        Optional<Drain> pipe = results.drain(Results.OVERLAPPED);
        if (journal.isEmpty() || pipe.isEmpty()) {
            return "";
        }
        List<Double> rates = journal.get().rates();
        List<Double> ofPipe = pipe.get().rates();
        return "Its rates in the rounds of the first table, one after the other, divided by those of the overlapped pipe: "
                + IntStream.range(0, Math.min(rates.size(), ofPipe.size()))
                        .mapToObj(round -> String.format(Locale.ROOT, "%.3f", rates.get(round) / ofPipe.get(round)))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private String multiplesOfDebezium() {
        Map<String, Drain> debezium = drainsOf(Results.DEBEZIUM);
        Map<String, Drain> journal = drainsOf(Results.JOURNAL);
        Map<String, Drain> pipe = drainsOf(Results.OVERLAPPED);
        debezium.keySet().retainAll(journal.keySet());
        debezium.keySet().retainAll(pipe.keySet());
        if (debezium.isEmpty()) {
            return "";
        }
        List<String> multiples = new ArrayList<>();
        int byJournal = 0;
        int byPipe = 0;
        for (Map.Entry<String, Drain> each : debezium.entrySet()) {
            List<Double> rates = each.getValue().rates();
            double ofJournal = Median.ofRatios(ratesIn(journal, each.getKey()), rates);
            double ofPipe = Median.ofRatios(ratesIn(pipe, each.getKey()), rates);
            byJournal += ofJournal >= Results.DEBEZIUM_GOAL ? 1 : 0;
            byPipe += ofPipe >= Results.DEBEZIUM_GOAL ? 1 : 0;
            multiples.add(String.format(Locale.ROOT, "%.2f and %.2f (%s)", ofJournal, ofPipe, each.getKey()));
        }
        return String.format(
                Locale.ROOT,
                "The goal is %d times its rate. The journal reaches that in %d of %d drains, and the overlapped pipe,"
                        + " which keeps no account of anything, in %d. Their multiples of Debezium's rate: %s.",
                Results.DEBEZIUM_GOAL,
                byJournal,
                debezium.size(),
                byPipe,
                String.join("; ", multiples));
    }

    private static List<Double> ratesIn(Map<String, Drain> drains, String name) {
        return Objects.requireNonNull(drains.get(name)).rates();
    }

    /** The drain of the first table and those of the variations. */
    private Map<String, Drain> drainsOf(String system) {
        Map<String, Drain> drains = new LinkedHashMap<>();
        results.drain(system).ifPresent(drain -> drains.put("first table", drain));
        drains.putAll(variationsOf(system));
        return drains;
    }

    private String roundsOfDebezium() {
        Optional<Drain> drain = results.drain(Results.DEBEZIUM);
        return drain.map(rounds -> "Its rates in the rounds of the first table, one after the other: "
                        + rounds.rates().stream()
                                .map(rate -> String.format(Locale.ROOT, "%,.0f", rate))
                                .collect(Collectors.joining("; "))
                        + " events/s.")
                .orElse("");
    }

    private String roundsOfBacklogs() {
        List<String> backlogs = results.variations("growth", "backlog").stream()
                .filter(each -> each.drain().rates().size() > 1)
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s of %s, %,.0f to %,.0f",
                        each.drain().system(),
                        each.value(),
                        Collections.min(each.drain().rates()),
                        Collections.max(each.drain().rates())))
                .toList();
        return backlogs.isEmpty()
                ? ""
                : "The slowest and the fastest of its rounds, in events/s: " + String.join("; ", backlogs) + ".";
    }

    private String goalOfAppend() {
        return Optional.ofNullable(Ratios.of(results).get("append-ratio"))
                .filter(Figure::misses)
                .map(Figure::goal)
                .map(goal -> "The goal for `append-ratio`, " + goal.words()
                        + ", is out of reach for a table that has this trigger and that index.")
                .orElse("");
    }

    /** Which systems have a lower latency than the journal, for each link. */
    private String distantLatency() {
        return results.distantLatencies().stream()
                .filter(distant -> distant.latency().system().equals(Results.JOURNAL))
                .map((DistantLatency journal) -> {
                    double median = journal.latency().at(0.5);
                    String lower = results.distantLatencies().stream()
                            .filter(other -> other.link().equals(journal.link())
                                    && other.latency().at(0.5) < median)
                            .map(other -> String.format(
                                    Locale.ROOT,
                                    "%s (%.1f)",
                                    other.latency().system(),
                                    other.latency().at(0.5)))
                            .collect(Collectors.joining(", "));
                    return String.format(
                            Locale.ROOT,
                            "%s: the journal's p50 is %.1f ms, %s.",
                            journal.link(),
                            median,
                            lower.isEmpty() ? "and no system has a lower one" : "lower are those of " + lower);
                })
                .map(sentence -> sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1))
                .collect(Collectors.joining(" "));
    }
}
