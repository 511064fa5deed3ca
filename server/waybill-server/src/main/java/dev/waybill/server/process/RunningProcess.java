package dev.waybill.server.process;

import dev.waybill.relay.Relay;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.Answer;
import dev.waybill.server.http.HttpServer;
import dev.waybill.spi.Counted;
import dev.waybill.telemetry.tracing.Tracing;
import io.micrometer.core.instrument.Clock;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All relays of an installation, their health checks and their metrics. */
public final class RunningProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningProcess.class);

    private final Installation installation;
    private final RunningRelays relays;
    private final ProcessMetrics metrics;
    private final Console console;
    private final HttpServer http;

    private RunningProcess(
            Installation installation, RunningRelays relays, ProcessMetrics metrics, Console console, HttpServer http) {
        this.installation = installation;
        this.relays = relays;
        this.metrics = metrics;
        this.console = console;
        this.http = http;
    }

    /**
     * @throws IOException if the address cannot be bound; then nothing runs
     */
    public static RunningProcess start(Installation installation) throws IOException {
        ProcessMetrics metrics = new ProcessMetrics(Clock.SYSTEM);
        // The Java agent provides the global one; without an agent nothing is traced.
        Tracing tracing = Tracing.of(GlobalOpenTelemetry.getOrNoop());
        Console console = new Console(installation);
        console.failedLogins().ifPresent(metrics::logins);
        RunningRelays relays = new RunningRelays(installation, tracing, plan -> console.start(plan, metrics::start));
        InetSocketAddress address = installation.serving().address();
        HttpServer http = HttpServer.start(address, pages(relays, metrics), console.handler());
        if (!address.getAddress().isLoopbackAddress()) {
            log.warn(
                    "/health, /ready and /metrics can be reached from other machines at {}, without a login. They carry no data of"
                            + " events, but names of relays, stores and destinations, and numbers.",
                    address.getAddress().getHostAddress());
        }
        RunningProcess process = new RunningProcess(installation, relays, metrics, console, http);
        relays.start();
        metrics.watch(installation);
        console.watch();
        log.info(
                "{}; http://{}/ready says whether they make progress.",
                Counted.of(installation.relays().size(), "relay runs", "relays run"),
                http.at());
        if (installation.serving().access().console()) {
            log.info("The console is at {}", process.consoleAddress());
        }
        return process;
    }

    private static Map<String, Supplier<Answer>> pages(RunningRelays relays, ProcessMetrics metrics) {
        Map<String, Supplier<Answer>> pages = new LinkedHashMap<>();
        pages.put("/health", () -> Answer.line("200 OK", "ok"));
        pages.put(
                "/ready",
                () -> relays.notReady()
                        .map(why -> Answer.line("503 Service Unavailable", "not ready: " + why))
                        .orElseGet(() -> Answer.line("200 OK", "ready")));
        pages.put("/metrics", () -> Answer.ok(ProcessMetrics.CONTENT_TYPE, metrics.text()));
        return pages;
    }

    int port() {
        return http.port();
    }

    /** Where people open the console: a URL. */
    public String consoleAddress() {
        return "http://" + http.at() + "/ui/";
    }

    /** A relay of this process; empty if there is none of that name, or it did not start. */
    public Optional<Relay> relay(String name) {
        return relays.find(name);
    }

    /** Health, readiness and metrics are served until the relays have stopped. */
    @Override
    public void close() {
        log.info("Stopping: nothing more is sent; waiting for messages in flight.");
        relays.announceStop();
        console.close();
        relays.close();
        http.close();
        metrics.close();
        installation.close();
        log.info("Stopped; all leases are released.");
    }
}
