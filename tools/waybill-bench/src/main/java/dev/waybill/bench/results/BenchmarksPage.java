package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Measured;
import dev.waybill.bench.results.Results.Variation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The page about benchmarks in the documentation. All of its figures come from the results of one run. */
public final class BenchmarksPage {
    private static final String BEGINNING = """
            # Benchmarks

            All figures on this page are from one run of one command on one machine. They are only comparable with each other: a
            machine that is twice as fast changes all of them. This page is written by `./waybill bench page`.

            """;

    private static final String HOW = """

            ## What is measured

            - Every system runs in a process of its own, in turns, against the same PostgreSQL (fsync on) and the same Kafka, with
              the same producer properties. The keys and values that arrive are the same bytes.
            - **drain**: a backlog is written first, then the system is started. The rate is that of the arrivals, from the first
              record to the last by the broker's clock, so that the time a system takes to start does not count. A consumer counts
              the records. Slow systems drain a smaller backlog.
            - **bare pipe** reads rows along the primary key and sends them, in one thread; **overlapped pipe** reads in one thread
              and sends in another. Both keep no position and no lease and would lose late transactions: they are limits, not
              outboxes.
            - **cost**: the CPU time of the system's process and of all processes of PostgreSQL; dead tuples are row versions that
              updates and deletes leave behind.
            - **latency**: four clients append at a fixed rate, whatever the system does; a consumer notes when each event arrives.
              The clients run in the process of the system, as in an application.
            - **append**: four clients commit transactions with one row of business data and one event, while nothing is sent.
            """;

    private final Results results;
    private final StringBuilder page = new StringBuilder(BEGINNING);

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
        page.variations();
        page.systems();
        page.page.append(HOW);
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
        Ratios.of(results).forEach((name, value) -> rows.add(row("| `%s` | %s |", name, value)));
        table("| | |", rows);
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
                "| system | backlog | events/s | CPU s per million: relay | database | WAL bytes per event | dead tuples per event |",
                results.drains().stream()
                        .map((Drain drain) -> row(
                                "| %s | %,d | %,.0f | %.1f | %.1f | %.0f | %.2f |",
                                drain.system(),
                                drain.events(),
                                drain.rate(),
                                drain.relayCpu(),
                                drain.databaseCpu(),
                                drain.walBytes(),
                                drain.deadTuples()))
                        .toList());
    }

    private void latencies(String folder) {
        if (results.latencies().isEmpty()) {
            return;
        }
        line("## Latency from commit to consumer");
        line("");
        chart(folder, "latency", "Latency by percentile of each system");
        table(
                "| system | link | events/s | p50 ms | p99 ms | p99.9 ms | max ms |",
                Stream.concat(
                                results.latencies().stream().map(latency -> latency("direct", latency)),
                                results.distantLatencies().stream()
                                        .map((DistantLatency distant) -> latency(distant.link(), distant.latency())))
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
        double none = results.append(Results.NO_EVENT).map(Append::rate).orElse(Double.NaN);
        table(
                "| system | transactions/s | times as long as without an event |",
                results.appends().stream()
                        .map((Append append) ->
                                row("| %s | %,.0f | %.2f |", append.system(), append.rate(), none / append.rate()))
                        .toList());
    }

    private void variations() {
        if (results.variations().isEmpty()) {
            return;
        }
        line("## Growth and distance");
        line("");
        table(
                "| what | value | system | events/s |",
                results.variations().stream()
                        .map((Variation variation) -> row(
                                "| %s | %s | %s | %,.0f |",
                                variation.what(), variation.value(), variation.system(), variation.rate()))
                        .toList());
    }

    private void systems() {
        line("## Systems and their settings");
        line("");
        table(
                "| system | version | settings |",
                results.systems().stream()
                        .map((Measured system) -> {
                            String missing = system.missing();
                            return row(
                                    "| %s | %s | %s |",
                                    system.name(),
                                    system.version(),
                                    missing == null ? system.settings() : "**not measured**: " + missing);
                        })
                        .toList());
        page.setLength(page.length() - 1);
    }
}
