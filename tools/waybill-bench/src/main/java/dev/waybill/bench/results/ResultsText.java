package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Consumed;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Variation;
import java.util.Locale;

/** Results as lines of text for a terminal. */
public final class ResultsText {
    private static final int BAR = 40;

    private final Results results;
    private final StringBuilder text = new StringBuilder();

    private ResultsText(Results results) {
        this.results = results;
    }

    public static String of(Results results) {
        ResultsText text = new ResultsText(results);
        text.surroundings();
        text.drains();
        text.latencies();
        text.appends();
        text.variations();
        text.systems();
        Ratios.of(results).forEach((name, figure) -> text.line("%s: %s", name, figure.text()));
        return text.text.toString();
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void surroundings() {
        line(
                "bench: %s, %s",
                results.date(), String.join(", ", results.machine().values()));
        results.settings().forEach((name, value) -> line("  %s: %s", name, value));
    }

    private void drains() {
        if (results.drains().isEmpty()) {
            return;
        }
        line(
                "drain: events a second; CPU seconds of relay and database per million events; WAL bytes and dead tuples each");
        double best = results.drains().stream().mapToDouble(Drain::rate).max().orElse(1);
        for (Drain drain : results.drains()) {
            line(
                    "  %-22s %,10.0f/s  %7.2f + %7.2f s  %8.1f B  %5.2f  %s",
                    drain.system(),
                    drain.rate(),
                    drain.relayCpu(),
                    drain.databaseCpu(),
                    drain.walBytes(),
                    drain.deadTuples(),
                    "█".repeat((int) Math.round(BAR * drain.rate() / best)));
        }
    }

    private void latencies() {
        results.latencies().forEach(latency -> latency("latency", latency));
        results.distantLatencies().forEach(distant -> latency("latency, " + distant.link(), distant.latency()));
    }

    private void latency(String what, Latency latency) {
        line(
                "%s: %-22s at %,6d/s  p50 %8.2f ms  p99 %8.2f ms  p99.9 %8.2f ms  max %8.2f ms",
                what,
                latency.system(),
                latency.rate(),
                latency.at(0.5),
                latency.at(0.99),
                latency.at(0.999),
                latency.at(1.0));
    }

    private void appends() {
        for (Append append : results.appends()) {
            line(
                    "append: %-22s %,10.0f transactions/s%s",
                    append.system(),
                    append.rate(),
                    results.timesWithoutEvent(append)
                            .map(times ->
                                    String.format(Locale.ROOT, "  %5.2f times as long as without an event", times))
                            .orElse(""));
        }
    }

    private void variations() {
        for (Variation variation : results.variations()) {
            Drain drain = variation.drain();
            line(
                    "%s: %s %s: %-22s %,10.0f/s%s%s",
                    variation.part(),
                    variation.what(),
                    variation.value(),
                    drain.system(),
                    drain.rate(),
                    drain.roundTrips() == null
                            ? ""
                            : String.format(Locale.ROOT, "  %.4f round trips", drain.roundTrips()),
                    drain.liveMegabytes() == null
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "  %d MB resident, %d MB of the heap live",
                                    drain.residentMegabytes(),
                                    drain.liveMegabytes()));
        }
        for (Consumed consumed : results.inbox()) {
            line(
                    "inbox: %-22s %,10.0f/s  %.3f commits/event",
                    consumed.way(), consumed.rate(), consumed.commitsPerEvent());
        }
    }

    private void systems() {
        results.systems()
                .forEach(system -> line("system: %s %s: %s", system.name(), system.version(), system.settings()));
        results.missing()
                .forEach(missing ->
                        line("not measured: %s: %s: %s", missing.part(), missing.system(), missing.reason()));
    }
}
