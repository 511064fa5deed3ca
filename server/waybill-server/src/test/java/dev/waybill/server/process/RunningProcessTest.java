package dev.waybill.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.waybill.server.config.Installation;
import dev.waybill.server.http.HalfSent;
import dev.waybill.server.http.HttpServer;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a database and a broker that are not there: nothing must wait for them. */
class RunningProcessTest {
    private static final String FILE = """
            server: { port: %d, not-ready-after: %s }
            stores:
              away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
            destinations:
              away: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
            relays:
              one: { store: away, destination: away }
              other: { store: away, destination: away }
            """;

    /** Less than the 10 s after which a server may drop what is half sent: nobody should have to wait for that. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    private Installation installation(int port) throws Exception {
        return installation(port, "1d");
    }

    private Installation installation(int port, String notReadyAfter) throws Exception {
        return Installation.read(
                Files.writeString(directory.resolve("waybill.yaml"), FILE.formatted(port, notReadyAfter)));
    }

    @Test
    void it_is_ready_while_every_relay_runs() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0))) {
            assertThat(get(process, "/health").statusCode()).isEqualTo(200);
            assertThat(get(process, "/ready").body()).isEqualTo("ready\n");

            Thread loop = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("waybill-relay-other"))
                    .findFirst()
                    .orElseThrow();
            loop.interrupt();
            loop.join(30_000);
            assertThat(loop.isAlive()).isFalse();

            assertThat(get(process, "/ready").statusCode()).isEqualTo(503);
            assertThat(get(process, "/health").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void it_is_not_ready_when_a_relay_has_been_failing_for_too_long() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0, "1ms"))) {
            Await.until("not ready", () -> get(process, "/ready").statusCode() == 503);
            assertThat(get(process, "/ready").body())
                    .matches("not ready: relay (one|other) has been failing for \\d+ s\n");
            assertThat(get(process, "/health").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void incomplete_requests_do_not_block_others() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0));
                HalfSent half = new HalfSent(process.port())) {
            for (int i = 0; i < 200; i++) {
                half.send(i % 2 == 0 ? "GET /hea" : "GET /ready HTTP/1.1\r\nHost: x\r\n");
            }
            assertThat(get(process, "/health").body()).isEqualTo("ok\n");
            assertThat(get(process, "/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void metrics_do_not_wait_for_a_database_and_a_broker_that_are_away() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0))) {
            Exposition metrics = Exposition.parse(get(process, "/metrics").body());
            assertThat(metrics.names()).allMatch(name -> name.startsWith("waybill_"));
            assertThat(metrics.value("waybill_store_up", "store", "away")).isZero();
            assertThat(metrics.value("waybill_dead_letters_up", "destination", "away"))
                    .isZero();
            assertThat(metrics.value("waybill_relay_published_total", "relay", "one"))
                    .isZero();
        }
    }

    @Test
    void clients_that_do_not_read_their_metrics_do_not_block_others() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0));
                HalfSent unread = new HalfSent(process.port())) {
            for (int i = 0; i < 200; i++) {
                unread.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            assertThat(get(process, "/health").body()).isEqualTo("ok\n");
            HttpResponse<String> metrics = get(process, "/metrics");
            assertThat(metrics.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(metrics.body()).contains("waybill_store_up");
        }
    }

    @Test
    void a_connection_above_the_limit_closes_the_oldest() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0));
                HalfSent half = new HalfSent(process.port())) {
            for (int i = 0; i < HttpServer.MOST_CONNECTIONS + 1; i++) {
                half.send("GET /hea");
            }
            assertThat(get(process, "/health").body()).isEqualTo("ok\n");
            assertThat(half.isEnded(0)).isTrue();
        }
    }

    @Test
    void a_request_that_is_too_long_is_refused() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0));
                HalfSent half = new HalfSent(process.port())) {
            half.send("GET /health HTTP/1.1\r\nX: " + "x".repeat(20_000));
            assertThat(half.answer(0)).startsWith("HTTP/1.1 431 ");
        }
    }

    @Test
    void other_paths_are_not_found() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0))) {
            assertThat(get(process, "/").headers().firstValue("Location")).contains("/ui/");
            assertThat(get(process, "/nothing").statusCode()).isEqualTo(404);
            assertThat(get(process, "/ready/x").statusCode()).isEqualTo(404);
            HttpRequest post = HttpRequest.newBuilder(uri(process, "/ready"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    void a_port_in_use_is_reported_with_the_remedy() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Installation installation = installation(taken.getLocalPort())) {
            assertThatIOException()
                    .isThrownBy(() -> RunningProcess.start(installation))
                    .withMessageContaining("set server.port");
        }
    }

    private HttpResponse<String> get(RunningProcess process, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(process, path)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(RunningProcess process, String path) {
        return URI.create("http://127.0.0.1:" + process.port() + path);
    }
}
