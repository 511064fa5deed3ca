package dev.waybill.bench;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.api.AdminApi;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.HttpServer;
import dev.waybill.server.live.OwnRelays;
import dev.waybill.server.live.Sampler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The console of a process, and a client that reads the overview and then holds its stream, as the page in a browser does. The client is in
 * the same process, so that its part is in the cost.
 */
final class WatchedConsole implements Observation.Observer {
    /** Its relay is not started: the relay that is measured has a name of its own in every round. */
    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              bench: { type: postgres-journal, url: "%s" }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:9" } }
            relays:
              not-started: { store: bench, destination: kafka }
            """;

    private final OwnRelays own = new OwnRelays();
    private final Installation installation;
    private final Sampler sampler;
    private final AdminApi api;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final CompletableFuture<Void> stream;

    private WatchedConsole(Installation installation) throws IOException {
        this.installation = installation;
        this.sampler = new Sampler(installation, own);
        this.api = new AdminApi(installation, sampler);
        this.server = HttpServer.start(installation.serving().address(), Map.of(), api);
        sampler.start();
        CompletableFuture<Void> first = new CompletableFuture<>();
        this.stream = client.sendAsync(request("/api/live"), HttpResponse.BodyHandlers.ofLines())
                .thenAccept(answer -> read(answer.body(), first));
        readOverview();
        await(first);
    }

    static WatchedConsole open(String url) {
        try {
            Path file = Files.createTempFile("waybill-bench", ".yaml");
            try {
                return new WatchedConsole(Installation.read(Files.writeString(file, CONFIGURATION.formatted(url))));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The console for the measurement does not start.", e);
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
    }

    /** Reads to the end; the first line says that the stream is open. */
    private static void read(Stream<String> lines, CompletableFuture<Void> first) {
        lines.forEach(line -> first.complete(null));
    }

    private void readOverview() {
        client.sendAsync(request("/api/overview"), HttpResponse.BodyHandlers.ofString())
                .join();
    }

    private static void await(CompletableFuture<Void> first) throws IOException {
        try {
            first.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IOException("The stream of the console does not open: " + e.getMessage(), e);
        }
    }

    @Override
    public Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting) {
        return starting.apply(plan.listener(own.listener()));
    }

    @Override
    public void close() {
        boolean watched = !stream.isDone();
        api.close();
        server.close();
        sampler.close();
        installation.close();
        if (!watched) {
            throw new IllegalStateException(
                    "The stream of the console ended during the measurement, so it does not count: measure again.");
        }
    }
}
