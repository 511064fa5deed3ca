package dev.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.waybill.server.config.Installation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a database and a broker that are not there: nothing must wait for them. */
class RunningProcessTest {
    private static final String FILE = """
            server: { port: %d }
            stores:
              away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
            destinations:
              away: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
            relays:
              one: { store: away, destination: away }
              other: { store: away, destination: away }
            """;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    private Installation installation(int port) throws Exception {
        return Installation.read(Files.writeString(directory.resolve("waybill.yaml"), FILE.formatted(port)));
    }

    @Test
    void it_is_ready_while_the_loop_of_every_relay_lives() throws Exception {
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
    void it_answers_nothing_else() throws Exception {
        try (RunningProcess process = RunningProcess.start(installation(0))) {
            assertThat(get(process, "/").statusCode()).isEqualTo(404);
            assertThat(get(process, "/ready/x").statusCode()).isEqualTo(404);
            HttpRequest post = HttpRequest.newBuilder(uri(process, "/ready"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    void a_port_that_is_taken_is_told_with_what_to_do() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Installation installation = installation(taken.getLocalPort())) {
            assertThatIOException()
                    .isThrownBy(() -> RunningProcess.start(installation))
                    .withMessageContaining("set server.port");
        }
    }

    private HttpResponse<String> get(RunningProcess process, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(process, path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(RunningProcess process, String path) {
        return URI.create("http://127.0.0.1:" + process.port() + path);
    }
}
