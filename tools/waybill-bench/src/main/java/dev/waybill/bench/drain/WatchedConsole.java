package dev.waybill.bench.drain;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.api.AdminApi;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.HttpServer;
import dev.waybill.server.live.OwnRelays;
import dev.waybill.server.live.Sampler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/** The console of a process, with the overview open in a browser that has looked at it for a while. */
final class WatchedConsole implements Observation.Observer {
    /** The relay is started by the bench, with the console as its listener. */
    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              bench: { type: postgres-journal, url: "%s" }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "%s" } }
            relays:
              %s: { store: bench, destination: kafka }
            """;

    private final OwnRelays own = new OwnRelays();
    private final Installation installation;
    private final Sampler sampler;
    private final AdminApi api;
    private final HttpServer server;
    private final OverviewPage page;

    private WatchedConsole(Installation installation) throws IOException {
        this.installation = installation;
        this.sampler = new Sampler(installation, own);
        this.api = new AdminApi(installation, sampler);
        this.server = HttpServer.start(installation.serving().address(), Map.of(), api);
        sampler.start();
        this.page = OverviewPage.open(server.port());
    }

    /** Returns when the page has shown live values for some seconds. */
    static WatchedConsole open(Observation.Target target) {
        try {
            Path file = Files.createTempFile("waybill-bench", ".yaml");
            try {
                String text = CONFIGURATION.formatted(target.url(), target.kafka(), target.relay());
                return new WatchedConsole(Installation.read(Files.writeString(file, text)));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The console for the measurement does not start.", e);
        }
    }

    @Override
    public Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting) {
        Relay relay = starting.apply(plan.listener(own.listener()));
        own.started(plan, relay);
        return relay;
    }

    @Override
    public void close() {
        boolean watched = page.isLive();
        page.close();
        api.close();
        server.close();
        sampler.close();
        installation.close();
        if (!watched) {
            throw new IllegalStateException(
                    "The page of the console ended during the measurement, so it does not count: measure again.");
        }
    }
}
