package dev.waybill.telemetry.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code docs/metrics.md}: the text around the tables is here, the tables come from {@link WaybillMeter}. */
final class MetricsPage {
    private static final String TEXT = """
            # Metrics

            <!-- Made by MetricsPageTest with -Dwaybill.docs.write=true. Meters come from WaybillMeter, the text from MetricsPage. -->

            The process (`./waybill run`) serves all of this at `/metrics` in Prometheus' text format, on the address of
            `/health` ([configuration](configuration.md#the-process)). Every name begins with `waybill_`; there are no other
            metrics, such as those of the JVM.

            ```yaml
            scrape_configs:
              - job_name: waybill
                static_configs: [{ targets: ["127.0.0.1:8085"] }]
            ```

            In your own process, depend on `waybill-telemetry` and Micrometer, and start relays and consumers through
            `WaybillMeters`, with any registry of Micrometer:

            ```java
            WaybillMeters meters = WaybillMeters.in(registry);
            Relay relay = meters.start(plan); // instead of plan.start()
            EventConsumer consumer = meters.start(consumerPlan); // instead of consumerPlan.start()
            WaybillMeters.Watching store = meters.watch("orders", journal.admin());
            WaybillMeters.Watching letters =
                    meters.watchDeadLetters("kafka", () -> box.count(box.topics(), DeadLetterCount.COUNTED));
            ```

            [docs/monitoring](monitoring/README.md) has alert rules for Prometheus and a dashboard for Grafana made from these
            metrics; the distribution has them in `monitoring/`.

            **Two views.** `waybill_relay_…` and `waybill_consumer_…` are what one process does: add them up over processes.
            `waybill_store_…` and `waybill_dead_letters…` are read from the database and the broker: every process that runs the same
            file exports the same numbers, so take `max by (job, store, relay)`, not the sum. Other applications may use the same names: keep the label `job`.

            **Reading costs little and never hangs.** The status of a store is read in the background every 5 seconds, dead
            letters every minute, and never by a scrape. A status that takes long is read less often, so that reading it takes
            a twentieth of the time, but at least every 50 seconds: no value of a store is older than a minute, and none of dead
            letters older than 11 minutes. Nothing counts all rows of a large table: numbers are exact up to 10,000 and estimates or lower
            bounds beyond. Only [dead rows of the layout `waybill` on PostgreSQL](operations.md#monitoring) have no index. If a store or broker is unavailable, or does not answer within 10 seconds (dead letters:
            a minute), its gauges are `NaN` and `…_up` is 0.

            **Few labels.** Their values are names from your configuration and the constants below, never types, topics, keys or
            errors of events, so metrics carry no personal data and their number does not grow with traffic. A store has at most 100
            relays and a destination at most 100 consumers with meters of their own. Replays that your own process runs are counted
            together, as the relay `(replays)`.

            **A relay measures once for each batch** and each call of its destination, not for each event, so the cost does not
            show: draining with metrics on is measured against off by `./waybill bench drain --with metrics`.

            %s
            A timer is a histogram: `_bucket` with `le`, `_count`, `_sum`, and beside it a gauge `_max` over the last minutes. A
            summary has `_count`, `_sum` and `_max`.
            """;

    private MetricsPage() {}

    static String text() {
        return TEXT.formatted(table("store", "Stores", """
                        Each relay that reads the store, whichever process runs it.""")
                + table("relay", "Relays", "The relays that run in this process.")
                + table("consumer", "Consumers", """
                        The consumers that run in this process. `waybill run` runs none: these come from your own.""")
                + table("dead", "Dead letters", "What consumers gave up, in the broker's dead-letter topics.")
                + table("logins", "Logins", "Only of `waybill run`, in the process that serves the console."));
    }

    private static String table(String part, String title, String about) {
        StringBuilder table = new StringBuilder("## " + title + "\n\n" + about + "\n\n");
        table.append("| name | in Micrometer | kind | labels | unit | what |\n|---|---|---|---|---|---|\n");
        for (WaybillMeter meter : WaybillMeter.values()) {
            if (meter.id().startsWith("waybill." + part + ".")) {
                table.append(String.format(
                        Locale.ROOT,
                        "| `%s` | `%s` | %s | %s | %s | %s. |%n",
                        prometheusName(meter),
                        meter.id(),
                        meter.kind().name().toLowerCase(Locale.ROOT),
                        meter.labels().stream()
                                .map(label -> "`" + label.text() + "`")
                                .collect(Collectors.joining(", ")),
                        meter.unit(),
                        meter.description()));
            }
        }
        return table.append("\n").toString();
    }

    /** Without the suffixes of a histogram. */
    static String prometheusName(WaybillMeter meter) {
        Meter.Type type = switch (meter.kind()) {
            case COUNTER -> Meter.Type.COUNTER;
            case GAUGE -> Meter.Type.GAUGE;
            case SUMMARY -> Meter.Type.DISTRIBUTION_SUMMARY;
            case TIMER -> Meter.Type.TIMER;
        };
        String unit = meter.unit().equals(WaybillMeter.SECONDS) ? WaybillMeter.SECONDS : null;
        String name = new PrometheusNamingConvention().name(meter.id(), type, unit);
        return type == Meter.Type.COUNTER && !name.endsWith("_total") ? name + "_total" : name;
    }
}
