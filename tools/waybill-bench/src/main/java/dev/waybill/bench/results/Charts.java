package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Variation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The charts of a run, each an SVG document by its name. A chart without data is not there. */
public final class Charts {
    /** Of all charts that there can be. */
    static final Set<String> NAMES = Set.of("drain", "cost", "latency", "latency-half", "append", "growth", "distance");

    /** Systems that cost hundreds of times as much would leave nothing to see of the others. */
    private static final int COSTLIEST = 3;

    private final Results results;
    private final Map<String, String> charts = new LinkedHashMap<>();

    private Charts(Results results) {
        this.results = results;
    }

    public static Map<String, String> of(Results results) {
        Charts charts = new Charts(results);
        charts.drains();
        charts.latencies();
        charts.appends();
        charts.growth();
        charts.distance();
        return charts.charts;
    }

    private Svg.Heading heading(String part, String title) {
        return new Svg.Heading(
                title,
                (results.isQuick(part) ? "a quick run, rough · " : "")
                        + (results.isOfOneRun() ? results.date() : "several runs, the last one " + results.date())
                        + " · "
                        + String.join(" · ", results.machine().values()) + " · waybill " + version(Results.JOURNAL));
    }

    private String version(String system) {
        return results.systems().stream()
                .filter(each -> each.name().equals(system))
                .map(Results.Measured::version)
                .findFirst()
                .orElse("");
    }

    /** Peers with their versions; of this project there is only one. */
    private String label(String system) {
        String version = version(system);
        return version.isEmpty() || version.equals(version(Results.JOURNAL)) ? system : system + " " + version;
    }

    private void bars(String part, String name, String title, List<BarChart.Bar> bars) {
        if (!bars.isEmpty()) {
            charts.put(name, BarChart.draw(heading(part, title), List.of(title), bars));
        }
    }

    private void drains() {
        bars(
                "drain",
                "drain",
                "Drain of a backlog, events a second",
                results.drains().stream()
                        .map(drain -> bar(label(drain.system()), drain.rate(), ""))
                        .toList());
        if (!results.drains().isEmpty()) {
            charts.put(
                    "cost",
                    BarChart.draw(
                            heading("drain", "CPU seconds per million events"),
                            List.of("relay", "database"),
                            results.drains().stream().map(this::cost).toList(),
                            COSTLIEST * costOfOwn()));
        }
    }

    /** The highest cost among systems of this project. */
    private double costOfOwn() {
        return results.drains().stream()
                .filter(drain -> version(drain.system()).equals(version(Results.JOURNAL)))
                .mapToDouble(Drain::cpu)
                .max()
                .orElse(Double.MAX_VALUE / COSTLIEST);
    }

    private BarChart.Bar cost(Drain drain) {
        return new BarChart.Bar(
                label(drain.system()),
                List.of(drain.relayCpu(), drain.databaseCpu()),
                String.format(Locale.ROOT, "%.1f + %.1f", drain.relayCpu(), drain.databaseCpu()));
    }

    private static BarChart.Bar bar(String label, double rate, String note) {
        return new BarChart.Bar(label, List.of(rate), String.format(Locale.ROOT, "%,.0f%s", rate, note));
    }

    private void appends() {
        bars(
                "append",
                "append",
                "One-row transactions a second with one event, four clients",
                results.appends().stream()
                        .map((Append append) -> bar(label(append.system()), append.rate(), ""))
                        .toList());
    }

    private void latencies() {
        curves(
                "latency",
                String.format(Locale.ROOT, "Commit to consumer at %,d events a second", Results.LOW_RATE),
                results.latencies().stream()
                        .filter(latency -> latency.rate() == Results.LOW_RATE)
                        .map(latency -> curve(latency.system(), latency))
                        .toList());
        curves(
                "latency-half",
                "Commit to consumer at half of each system's maximum",
                results.latencies().stream()
                        .filter(latency -> latency.rate() != Results.LOW_RATE)
                        .map(latency -> curve(
                                String.format(Locale.ROOT, "%s, %,d/s", latency.system(), latency.rate()), latency))
                        .toList());
    }

    /** A system has the same colour in all charts. */
    private PercentileChart.Curve curve(String label, Latency latency) {
        List<String> systems =
                results.latencies().stream().map(Latency::system).distinct().toList();
        return new PercentileChart.Curve(label, systems.indexOf(latency.system()), latency.millis());
    }

    private void curves(String name, String title, List<PercentileChart.Curve> curves) {
        if (!curves.isEmpty()) {
            charts.put(name, PercentileChart.draw(heading("latency", title), curves));
        }
    }

    private void growth() {
        bars(
                "growth",
                "growth",
                "Drain by size of the backlog, events a second",
                results.variations("growth", "backlog").stream()
                        .map((Variation each) -> bar(
                                each.drain().system() + ", " + each.value(),
                                each.drain().rate(),
                                ""))
                        .toList());
    }

    /** Rates of systems differ too much to be drawn side by side: the bars are shares of what the system drains directly. */
    private void distance() {
        Map<String, Double> direct = new LinkedHashMap<>();
        List<Variation> links = results.variations("distance", "link");
        links.stream()
                .filter(each -> each.value().equals(Results.DIRECT))
                .forEach(each -> direct.put(each.drain().system(), each.drain().rate()));
        ToDoubleFunction<Drain> share = drain -> drain.rate() / direct.getOrDefault(drain.system(), Double.NaN);
        List<BarChart.Bar> bars = links.stream()
                .filter(each -> !each.value().equals(Results.DIRECT)
                        && direct.containsKey(each.drain().system()))
                .map(each -> new BarChart.Bar(
                        each.drain().system() + ", " + each.value().replace(" away", ""),
                        List.of(share.applyAsDouble(each.drain())),
                        String.format(
                                Locale.ROOT,
                                "%.2f (%,.0f/s)",
                                share.applyAsDouble(each.drain()),
                                each.drain().rate())))
                .toList();
        bars("distance", "distance", "Drain over a slower link, as a share of the drain over loopback", bars);
    }
}
