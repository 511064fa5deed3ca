package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import dev.waybill.testkit.SharedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM to a process whose relay cannot stop soon, because a lock keeps it from its position, while events come in. */
@Timeout(120)
class StoppingProcessTest {
    private static final String FILE = """
            server: { port: %1$d }
            stores:
              shop: { type: postgres-journal, url: "%2$s", user: postgres }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "%3$s" } }
            relays:
              orders:
                store: shop
                destination: kafka
                lease: 60s
                poll: { interval: 10ms, max-idle: 20ms }
            """;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    @Test
    void health_and_metrics_are_served_and_readiness_says_stopping_until_the_relays_have_stopped() throws Exception {
        port = FreePort.choose();
        JournalScene journal = JournalScene.create(SharedPostgres.server());
        try (KafkaServer kafka = KafkaServer.start();
                Topics topics = new Topics(kafka.bootstrapServers());
                Connection connection = journal.connect();
                Statement statement = connection.createStatement()) {
            String type = topics.create("orders.placed");
            String file = Files.writeString(
                            directory.resolve("waybill.yaml"),
                            FILE.formatted(port, journal.url().replaceFirst("[?].*", ""), kafka.bootstrapServers()))
                    .toString();
            try (ChildCommand process =
                    ChildCommand.start(directory.resolve("output"), Map.of(), List.of("run", file))) {
                journal.append(type, 1_000);
                Await.until(process::printed, () -> published() >= 1_000);

                connection.setAutoCommit(false);
                statement.execute("lock table waybill.relay in access exclusive mode");
                journal.append(type, 1_000);
                Await.until(
                        "the relay waits for the lock",
                        () -> journal.number("select count(*) from pg_locks where not granted and relation ="
                                        + " 'waybill.relay'::regclass")
                                > 0);
                CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> terminate(process));
                Await.until(
                        () -> "stopping is announced; the process has said " + process.printed(),
                        () -> body("/ready").equals("not ready: stopping\n"));
                assertThat(get("/ready").statusCode()).isEqualTo(503);
                assertThat(get("/health").statusCode()).isEqualTo(200);
                assertThat(published()).isGreaterThanOrEqualTo(1_000);
                assertThat(ended).isNotDone();
                connection.rollback();
                ended.join();
                assertThat(process.printed()).contains("Stopped; all leases are released.");
            }
        }
    }

    private static void terminate(ChildCommand process) {
        try {
            process.terminate();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private double published() throws InterruptedException {
        String metrics = body("/metrics");
        return !metrics.contains("waybill_relay_published_total")
                ? -1
                : Exposition.parse(metrics).value("waybill_relay_published_total", "relay", "orders");
    }

    /** Empty if nobody listens. */
    private String body(String path) throws InterruptedException {
        try {
            return get(path).body();
        } catch (IOException e) {
            return "";
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
