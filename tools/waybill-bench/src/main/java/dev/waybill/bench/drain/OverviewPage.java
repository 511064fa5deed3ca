package dev.waybill.bench.drain;

import dev.waybill.bench.servers.Progress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The requests of a browser that has the overview open: those of {@code overview.js} and {@code live.js}, as often as they make them. It
 * runs in the measured process, so that its part is in the cost; what a browser draws is not.
 */
final class OverviewPage implements AutoCloseable {
    /** Values that the stream brings before the page counts as open: one a second. */
    private static final int WARM = 10;

    private static final int PATIENCE_SECONDS = 60;
    private static final int OK = 200;
    private static final String OVERVIEW = "event: overview";

    private final String address;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-overview-page");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Future<?>> polls = new ArrayList<>();
    private final CountDownLatch values = new CountDownLatch(WARM);
    private final CompletableFuture<Void> stream;

    private OverviewPage(int port) {
        this.address = "http://127.0.0.1:" + port;
        this.stream = client.sendAsync(request("/api/live"), HttpResponse.BodyHandlers.ofLines())
                .thenAccept(answer -> read(answer.body()));
        get("/api/overview");
        get("/api/checks");
        every(10, "/api/audit?limit=20");
        every(30, "/api/failures");
        every(60, "/api/dead-letters");
    }

    /** Returns when it has been live for some seconds. */
    static OverviewPage open(int port) throws IOException {
        OverviewPage page = new OverviewPage(port);
        try {
            if (!page.values.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("The stream of the console brings no values.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return page;
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).build();
    }

    /** As the page does, it asks again some time after each answer. */
    private void every(int seconds, String path) {
        polls.add(timer.scheduleWithFixedDelay(() -> get(path), 0, seconds, TimeUnit.SECONDS));
    }

    private void get(String path) {
        try {
            int status = client.send(request(path), HttpResponse.BodyHandlers.ofString())
                    .statusCode();
            if (status != OK) {
                Progress.say("The console answered %s with status %d.", path, status);
            }
        } catch (IOException e) {
            Progress.say("The console did not answer %s: %s", path, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Stream<String> lines) {
        lines.filter(OVERVIEW::equals).forEach(line -> values.countDown());
    }

    /** Whether the stream and everything that is asked again go on. */
    boolean isLive() {
        return !stream.isDone() && polls.stream().noneMatch(Future::isDone);
    }

    /** The stream ends with the server. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
