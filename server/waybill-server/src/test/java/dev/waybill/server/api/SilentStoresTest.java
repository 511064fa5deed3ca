package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.cli.JournalScene;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that accept connections and never answer, beside one that answers. */
class SilentStoresTest {
    @TempDir
    private Path directory;

    @Test
    void silent_stores_keep_nobody_from_the_failures_of_another() throws Exception {
        JournalScene journal = JournalScene.create(SharedPostgres.server());
        journal.append("order.placed", 3);
        journal.relay("main", place -> new Settlement.Dead("refused", true, false));
        try (ServerSocket silent = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
                ServedApi api = ServedApi.start(directory, "", """
                        stores:
                          orders: { type: postgres-journal, url: "%2$s", user: postgres }
                          s1: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:%1$d/x", user: x }
                          s2: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:%1$d/x", user: x }
                          s3: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:%1$d/x", user: x }
                        destinations:
                          rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                        relays:
                          main: { store: orders, destination: rabbit }
                        """.formatted(
                                silent.getLocalPort(), journal.url().replaceFirst("[?].*", "")))) {
            String preview =
                    "{\"action\":\"requeue\",\"store\":\"orders\",\"relay\":\"main\",\"match\":{\"state\":\"dead\"}}";
            assertThat(api.post("/api/actions/preview", ServedApi.OPERATOR, preview)
                            .statusCode())
                    .isEqualTo(200);
            List<String> stores = List.of("s1", "s2", "s3", "s1", "s2", "s3");
            AtomicInteger connections = new AtomicInteger();
            Thread accepting = new Thread(() -> accept(silent, connections));
            accepting.start();
            List<CompletableFuture<HttpResponse<String>>> waiting = stores.stream()
                    .map(store -> api.client()
                            .sendAsync(
                                    api.request("/api/failures/" + store + "/main/rows?type=t", ServedApi.VIEWER)
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString()))
                    .toList();
            // And one connection of each store for its samples.
            Await.until("all wait", () -> connections.get() >= stores.size() + 3);
            assertThat(api.post("/api/actions/preview", ServedApi.OPERATOR, preview)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(api.get("/api/failures/orders/main/rows?type=order.placed", ServedApi.VIEWER)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(waiting).as("no silent store has answered").noneMatch(CompletableFuture::isDone);
        }
    }

    private static void accept(ServerSocket silent, AtomicInteger connections) {
        List<Socket> open = new ArrayList<>();
        try {
            while (true) {
                open.add(silent.accept());
                connections.incrementAndGet();
            }
        } catch (IOException closed) {
            // The end of the test.
            open.forEach(SilentStoresTest::close);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
