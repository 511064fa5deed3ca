package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code waybill run} serves at /metrics, with real PostgreSQL and Kafka, and a role that has only a relay's rights. */
@Timeout(180)
class MetricsOfAProcessTest {
    private static final String FILE = """
            server: { port: %1$d, count-dead-letters-every: 100ms }
            stores:
              shop: { type: postgres-journal, url: "%2$s", user: metrics_relay }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "%3$s" }, topic-timeout: 200ms }
            relays:
              orders:
                store: shop
                destination: kafka
                poll: { interval: 10ms, max-idle: 20ms }
                retry: { retries: 1, first: 10ms }
            """;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void backlog_latency_dead_events_and_dead_letters_are_measured_and_the_text_is_well_formed() throws Exception {
        int port = FreePort.choose();
        try (PostgresServer postgres = PostgresServer.start();
                KafkaServer kafka = KafkaServer.start(Map.of("auto.create.topics.enable", "false"));
                Topics topics = new Topics(kafka.bootstrapServers())) {
            JournalScene journal = JournalScene.create(postgres);
            journal.execute("create role metrics_relay login");
            Cli cli = new Cli();
            assertThat(cli.run("init", "--url", journal.url(), "--relay", "metrics_relay"))
                    .as(cli.err())
                    .isZero();
            journal.append(topics.create("orders.placed"), 3);
            journal.append("orders.nowhere", 1);
            String dead = topics.create("orders.placed.dlt");
            for (String consumer : List.of("billing", "mail", "mail")) {
                topics.send(dead, letterOf(consumer), Map.of());
            }
            String file = Files.writeString(
                            directory.resolve("waybill.yaml"),
                            FILE.formatted(port, journal.url(), kafka.bootstrapServers()))
                    .toString();
            Path output = directory.resolve("output");
            try (ChildCommand process = ChildCommand.start(output, Map.of(), List.of("run", file))) {
                until(port, process, "waybill_relay_published_total{relay=\"orders\"} 3.0");
                until(port, process, "waybill_store_dead{relay=\"orders\",store=\"shop\"} 1.0");
                until(port, process, "waybill_dead_letters{consumer=\"mail\",destination=\"kafka\"} 2.0");

                HttpResponse<String> response = get(port);
                assertThat(response.headers().firstValue("Content-Type"))
                        .contains("text/plain; version=0.0.4; charset=utf-8");
                check(Exposition.parse(response.body()));
                assertThat(response.body()).doesNotContain("orders.placed", "nowhere", "canary");
                process.terminate();
            }
        }
    }

    private static byte[] letterOf(String consumer) {
        return new DeadLetterBody(Optional.of("evt"), new byte[] {1}, "no", Instant.now(), consumer).toJson();
    }

    private static void check(Exposition now) {
        assertThat(now.names()).isNotEmpty().allMatch(name -> name.startsWith("waybill_"));
        assertThat(now.value("waybill_dead_letters", "destination", "kafka", "consumer", "billing"))
                .isEqualTo(1);
        assertThat(now.value("waybill_store_up", "store", "shop")).isEqualTo(1);
        assertThat(now.value("waybill_store_backlog", "store", "shop", "relay", "orders"))
                .isZero();
        assertThat(now.value("waybill_store_lease_held", "store", "shop", "relay", "orders"))
                .isEqualTo(1);
        assertThat(now.value("waybill_relay_phase", "relay", "orders", "phase", "running"))
                .isEqualTo(1);
        assertThat(now.value("waybill_relay_attempts_total", "relay", "orders", "outcome", "delivered"))
                .isEqualTo(3);
        assertThat(now.value("waybill_relay_attempts_total", "relay", "orders", "outcome", "failed"))
                .isEqualTo(2);
        for (String phase : List.of("commit-to-claim", "claim-to-send", "send-to-ack")) {
            assertThat(now.value("waybill_relay_latency_seconds_count", "relay", "orders", "phase", phase))
                    .as(phase)
                    .isPositive();
        }
    }

    private void until(int port, ChildCommand process, String line) throws Exception {
        Await.until(
                () -> line + " is exported; the process has said " + process.printed(),
                () -> process.isAlive() && isListening(port) && get(port).body().contains(line + "\n"));
    }

    private HttpResponse<String> get(int port) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
