package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The charts of a run, each an SVG document by its name. A chart without data is not there. */
public final class Charts {
    private Charts() {}

    public static Map<String, String> of(Results results) {
        Map<String, String> charts = new LinkedHashMap<>();
        if (!results.drains().isEmpty()) {
            charts.put("drain", drain(results.drains()));
            charts.put("cost", cost(results.drains()));
        }
        results.latencies().stream()
                .mapToInt(Latency::rate)
                .min()
                .ifPresent(rate -> charts.put(
                        "latency",
                        latency(
                                results.latencies().stream()
                                        .filter(latency -> latency.rate() == rate)
                                        .toList(),
                                rate)));
        if (!results.appends().isEmpty()) {
            charts.put("append", append(results.appends()));
        }
        return charts;
    }

    private static String drain(List<Drain> drains) {
        return BarChart.draw(
                "Drain of a backlog, events a second",
                List.of("events/s"),
                drains.stream()
                        .map(drain -> new BarChart.Bar(drain.system(), List.of(drain.rate()), thousands(drain.rate())))
                        .toList());
    }

    private static String cost(List<Drain> drains) {
        return BarChart.draw(
                "CPU seconds per million events",
                List.of("relay", "database"),
                drains.stream()
                        .map(drain -> new BarChart.Bar(
                                drain.system(),
                                List.of(drain.relayCpu(), drain.databaseCpu()),
                                String.format(Locale.ROOT, "%.1f + %.1f", drain.relayCpu(), drain.databaseCpu())))
                        .toList());
    }

    private static String append(List<Append> appends) {
        return BarChart.draw(
                "One-row transactions a second with one event, four clients",
                List.of("transactions/s"),
                appends.stream()
                        .map(append ->
                                new BarChart.Bar(append.system(), List.of(append.rate()), thousands(append.rate())))
                        .toList());
    }

    private static String latency(List<Latency> latencies, int rate) {
        return PercentileChart.draw(
                String.format(Locale.ROOT, "Commit to consumer at %,d events a second", rate),
                latencies.stream()
                        .map(latency -> new PercentileChart.Curve(latency.system(), latency.millis()))
                        .toList());
    }

    private static String thousands(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
