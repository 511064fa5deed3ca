package dev.waybill.server.process;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.config.Installation;
import dev.waybill.server.config.LikelyTopics;
import dev.waybill.telemetry.metrics.Refresh;
import dev.waybill.telemetry.metrics.WaybillMeters;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of a process: of its relays, of its stores, and of the dead letters of its destinations. */
final class ProcessMetrics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProcessMetrics.class);

    /** Content type of Prometheus' text format. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Requests within this time get the same text, so that many of them cost little. */
    private static final long RENDERED_FOR_NANOS = Duration.ofSeconds(1).toNanos();

    /** Most dead letters that are read in each topic: far fewer than a command reads, because it happens all the time. */
    private static final int MOST_LETTERS = 1_000;

    private final Clock clock;
    private final PrometheusMeterRegistry registry;
    private final WaybillMeters meters;
    private final List<WaybillMeters.Watching> watching = new ArrayList<>();
    private @Nullable Rendered last;

    private record Rendered(byte[] text, long at) {}

    ProcessMetrics(Clock clock) {
        this.clock = clock;
        this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
        this.meters = WaybillMeters.in(registry);
    }

    Relay start(RelayPlan plan) {
        return meters.start(plan);
    }

    void logins(LongSupplier failed) {
        meters.logins(failed);
    }

    void watch(Installation installation) {
        installation
                .stores()
                .forEach(store -> watch("store " + store, () -> {
                    watching.add(meters.watch(store, installation.admin(store)));
                }));
        Duration every = installation.serving().countDeadLettersEvery();
        if (!every.isZero()) {
            installation.destinations().stream()
                    .filter(installation::countsDeadLettersFreely)
                    .forEach(destination -> watchLetters(installation, destination, every));
        }
    }

    private void watchLetters(Installation installation, String destination, Duration every) {
        watching.add(meters.watchDeadLetters(
                destination,
                () -> installation.countDeadLetters(
                        destination, LikelyTopics.of(installation, destination), MOST_LETTERS),
                new Refresh(every, Refresh.DEAD_LETTERS.timeout())));
    }

    /** A store that cannot be opened has no meters; its relays report it too. */
    private static void watch(String what, Runnable beginning) {
        try {
            beginning.run();
        } catch (RuntimeException e) {
            log.error("Metrics: {} has none, because it cannot be opened; others are not affected.", what, e);
        }
    }

    /** In Prometheus' text format. Reads only memory. */
    synchronized byte[] text() {
        long now = clock.monotonicTime();
        Rendered rendered = last;
        if (rendered == null || now - rendered.at > RENDERED_FOR_NANOS) {
            rendered = new Rendered(registry.scrape().getBytes(StandardCharsets.UTF_8), now);
            last = rendered;
        }
        return rendered.text;
    }

    @Override
    public void close() {
        watching.forEach(WaybillMeters.Watching::close);
        registry.close();
    }
}
