package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that accepts connections and never answers. */
class SilentStoreTest {
    /** More than there are workers. */
    private static final int REQUESTS = 100;

    @TempDir
    private Path directory;

    @Test
    void requests_that_wait_for_a_store_leave_workers_to_all_others() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, REQUESTS, InetAddress.getLoopbackAddress());
                ServedApi api = ServedApi.start(directory, "", """
                        stores:
                          silent: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:%d/x", user: x }
                          away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
                        destinations:
                          rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                        relays:
                          one: { store: silent, destination: rabbit }
                        """.formatted(silent.getLocalPort()))) {
            List<CompletableFuture<HttpResponse<String>>> waiting = IntStream.range(0, REQUESTS)
                    .mapToObj(i -> api.client()
                            .sendAsync(
                                    ServedApi.json(
                                                    api.request("/api/events/search", ServedApi.VIEWER),
                                                    "{\"store\":\"silent\"}")
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString()))
                    .toList();
            assertThat(CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                            .thenApply(first -> ((HttpResponse<?>) first).body().toString())
                            .join())
                    .as("what is too much is refused at once")
                    .contains("\"busy\"");
            assertThat(api.get("/api/overview", ServedApi.VIEWER).statusCode()).isEqualTo(200);
            assertThat(api.post("/api/events/search", ServedApi.VIEWER, "{\"store\":\"away\"}")
                            .body())
                    .contains("store-unavailable");
            assertThat(waiting).as("the store has not answered yet").anyMatch(each -> !each.isDone());
        }
    }
}
