package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Consumed;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Measured;
import dev.waybill.bench.results.Results.Variation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The page about benchmarks in the documentation. All of its figures come from the results of one run. */
public final class BenchmarksPage {
    private final Results results;
    private final StringBuilder page = new StringBuilder(PageText.BEGINNING);

    private BenchmarksPage(Results results) {
        this.results = results;
    }

    /** @param folder of the charts, relative to the page */
    public static String of(Results results, String folder) {
        BenchmarksPage page = new BenchmarksPage(results);
        page.run();
        page.drains(folder);
        page.latencies(folder);
        page.appends(folder);
        page.growth(folder);
        page.distance(folder);
        page.inbox();
        page.systems();
        page.page.append(Conclusions.of(results).fill(PageText.HOW));
        return page.page.toString();
    }

    private void line(String format, Object... values) {
        page.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void table(String heads, List<String> rows) {
        line("%s", heads);
        line("%s", heads.replaceAll("[^|]+", "---"));
        rows.forEach(row -> line("%s", row));
        line("");
    }

    private void chart(String folder, String name, String alternative) {
        line("![%s](%s/%s.svg)", alternative, folder, name);
        line("");
    }

    private static String row(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private void run() {
        line(
                "`%s`, %s, on %s.",
                results.command(),
                results.date(),
                String.join(", ", results.machine().values()));
        line("");
        List<String> rows = new ArrayList<>();
        results.settings().forEach((name, value) -> rows.add(row("| %s | %s |", name, value)));
        table("| | |", rows);
        List<String> ratios = new ArrayList<>();
        Ratios.of(results)
                .forEach((name, figure) -> ratios.add(row(
                        "| `%s` | %s | %s | %s |",
                        name,
                        figure.text(),
                        figure.goal() == null ? "" : figure.goal().words(),
                        figure.reached())));
        if (Ratios.missGoals(results)) {
            line("[Where the time goes](#where-the-time-goes) says why goals are not reached, as far as it is known.");
            line("");
        }
        table("| figure | measured | goal | reached |", ratios);
    }

    private void drains(String folder) {
        if (results.drains().isEmpty()) {
            return;
        }
        line("## Drain and cost");
        line("");
        chart(folder, "drain", "Events a second of each system");
        chart(folder, "cost", "CPU seconds per million events of each system");
        table(
                "| system | events | events/s | slowest and fastest round | CPU s per million: relay | database | WAL bytes per event"
                        + " | dead tuples per event | resident MB |",
                results.drains().stream()
                        .map((Drain drain) -> row(
                                "| %s | %,d | %,.0f | %,.0f – %,.0f | %.1f | %.1f | %.0f | %.2f | %d |",
                                drain.system(),
                                drain.events(),
                                drain.rate(),
                                Collections.min(drain.rates()),
                                Collections.max(drain.rates()),
                                drain.relayCpu(),
                                drain.databaseCpu(),
                                drain.walBytes(),
                                drain.deadTuples(),
                                drain.residentMegabytes()))
                        .toList());
    }

    private void latencies(String folder) {
        if (results.latencies().isEmpty()) {
            return;
        }
        line("## Latency from commit to consumer");
        line("");
        chart(folder, "latency", "Latency by percentile of each system");
        if (results.latencies().stream().anyMatch(latency -> latency.rate() != Results.LOW_RATE)) {
            chart(folder, "latency-half", "Latency by percentile of each system at half of its maximum");
        }
        table(
                "| system | link | events/s | p50 ms | p99 ms | p99.9 ms | max ms |",
                results.latencies().stream()
                        .map(latency -> latency(Results.DIRECT, latency))
                        .toList());
    }

    private static String latency(String link, Latency latency) {
        return row(
                "| %s | %s | %,d | %.1f | %.1f | %.1f | %.1f |",
                latency.system(),
                link,
                latency.rate(),
                latency.at(0.5),
                latency.at(0.99),
                latency.at(0.999),
                latency.at(1.0));
    }

    private void appends(String folder) {
        if (results.appends().isEmpty()) {
            return;
        }
        line("## Append");
        line("");
        chart(folder, "append", "Transactions a second of each system");
        table(
                "| system | transactions/s | times as long as without an event |",
                results.appends().stream()
                        .map((Append append) -> row(
                                "| %s | %,.0f | %s |",
                                append.system(),
                                append.rate(),
                                orNothing(
                                        "%.2f",
                                        results.timesWithoutEvent(append).orElse(null))))
                        .toList());
    }

    private void growth(String folder) {
        List<Variation> growth = part("growth");
        if (growth.isEmpty()) {
            return;
        }
        line("## Growth");
        line("");
        chart(folder, "growth", "Events a second by size of the backlog");
        table(
                "| what | value | system | events | events/s | resident MB | live heap MB |",
                growth.stream()
                        .map(each -> row(
                                "| %s | %s | %s | %,d | %,.0f | %d | %s |",
                                each.what(),
                                each.value(),
                                each.drain().system(),
                                each.drain().events(),
                                each.drain().rate(),
                                each.drain().residentMegabytes(),
                                orNothing("%d", each.drain().liveMegabytes())))
                        .toList());
    }

    private List<Variation> part(String name) {
        return results.variations().stream()
                .filter(each -> each.part().equals(name))
                .toList();
    }

    private static String orNothing(String format, @Nullable Number value) {
        return value == null ? "" : row(format, value);
    }

    private void distance(String folder) {
        List<Variation> distance = part("distance");
        if (distance.isEmpty()) {
            return;
        }
        line("## Distance");
        line("");
        chart(folder, "distance", "Events a second over a slower link, as a share of those over loopback");
        table(
                "| what | value | system | events | events/s | round trips per event |",
                distance.stream()
                        .map(each -> row(
                                "| %s | %s | %s | %,d | %,.0f | %s |",
                                each.what(),
                                each.value(),
                                each.drain().system(),
                                each.drain().events(),
                                each.drain().rate(),
                                orNothing("%.4f", each.drain().roundTrips())))
                        .toList());
        if (!results.distantLatencies().isEmpty()) {
            table(
                    "| system | link | events/s | p50 ms | p99 ms | p99.9 ms | max ms |",
                    results.distantLatencies().stream()
                            .map(distant -> latency(distant.link(), distant.latency()))
                            .toList());
        }
    }

    private void inbox() {
        if (results.inbox().isEmpty()) {
            return;
        }
        line("## A consumer and its inbox");
        line("");
        table(
                "| transactions | events/s | commits per event |",
                results.inbox().stream()
                        .map((Consumed each) ->
                                row("| %s | %,.0f | %.3f |", each.way(), each.rate(), each.commitsPerEvent()))
                        .toList());
    }

    private void systems() {
        line("## Systems and their settings");
        line("");
        table(
                "| system | version | settings |",
                results.systems().stream()
                        .map((Measured system) ->
                                row("| %s | %s | %s |", system.name(), system.version(), system.settings()))
                        .toList());
        if (!results.missing().isEmpty()) {
            line("Not measured:");
            line("");
            results.missing()
                    .forEach(missing -> line("- %s, %s: %s", missing.part(), missing.system(), missing.reason()));
            line("");
        }
        page.setLength(page.length() - 1);
    }
}
