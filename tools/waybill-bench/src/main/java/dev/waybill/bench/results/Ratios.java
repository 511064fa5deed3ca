package dev.waybill.bench.results;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures that readers compare, by name. Those whose systems were not measured are not there. */
public final class Ratios {
    private final Results results;
    private final Map<String, String> figures = new LinkedHashMap<>();

    private Ratios(Results results) {
        this.results = results;
    }

    public static Map<String, String> of(Results results) {
        Ratios ratios = new Ratios(results);
        ratios.drains();
        ratios.appends();
        ratios.latencies();
        return ratios.figures;
    }

    private void drains() {
        ratio("ratio-to-overlapped-pipe", Results.JOURNAL, Results.OVERLAPPED);
        ratio("ratio-to-pipe", Results.JOURNAL, Results.PIPE);
        ratio("ratio-to-debezium", Results.JOURNAL, Results.DEBEZIUM);
        ratio("table-ratio-to-pipe", Results.TABLE, Results.PIPE);
        Optional<Drain> journal = results.drain(Results.JOURNAL);
        Optional<Drain> limit = results.drain(Results.OVERLAPPED);
        if (journal.isPresent() && limit.isPresent() && limit.get().cpu() > 0) {
            put("cpu-ratio", "%.2f", journal.get().cpu() / limit.get().cpu());
        }
    }

    private void ratio(String name, String of, String to) {
        Optional<Drain> above = results.drain(of);
        Optional<Drain> below = results.drain(to);
        if (above.isPresent() && below.isPresent()) {
            put(name, "%.2f", above.get().rate() / below.get().rate());
        }
    }

    private void appends() {
        Optional<Append> journal = results.append(Results.JOURNAL);
        Optional<Append> smallest = results.append(Results.SMALLEST_INSERT);
        if (journal.isPresent() && smallest.isPresent()) {
            put("append-ratio", "%.2f", journal.get().rate() / smallest.get().rate());
        }
    }

    /** Of the journal, at the lowest rate measured. */
    private void latencies() {
        results.latencies().stream()
                .filter(latency -> latency.system().equals(Results.JOURNAL))
                .min((one, other) -> Integer.compare(one.rate(), other.rate()))
                .ifPresent((Latency latency) -> {
                    put("latency-p50-ms", "%.1f", latency.at(0.5));
                    put("latency-p99-ms", "%.1f", latency.at(0.99));
                    put("latency-p99.9-ms", "%.1f", latency.at(0.999));
                });
    }

    private void put(String name, String format, double value) {
        figures.put(name, String.format(Locale.ROOT, format, value));
    }
}
