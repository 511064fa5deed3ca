package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with 128 MB, and people who look at 10,000 dead events with long errors of as many kinds, all at once. */
class SmallHeapTest {
    private static final List<String> FORMS = List.of("", "?store=orders", "?relay=main");
    private static final int AT_ONCE = 12;
    /** It is those who look at once that fill the memory. */
    private static final int ROUNDS = Boolean.getBoolean("waybill.full") ? 3 : 1;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
    }

    private boolean answers(String path) throws Exception {
        try {
            return client.send(get(path), HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void many_who_look_at_failures_do_not_exhaust_the_memory() throws Exception {
        JournalScene journal = JournalScene.create(SharedPostgres.server());
        journal.append("order.placed", 10_000);
        String rest = "x".repeat(1_950);
        journal.relay("main", place -> new Settlement.Dead("refused by " + inLetters(place) + " " + rest, true, false));
        port = FreePort.choose();
        Path file = Files.writeString(directory.resolve("waybill.yaml"), """
                server: { port: %d }
                stores:
                  orders: { type: postgres-journal, url: "%s", user: postgres }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  main: { store: orders, destination: rabbit }
                """.formatted(
                        port, journal.url().replaceFirst("[?].*", "")));
        try (ChildCommand process =
                ChildCommand.start(directory.resolve("printed"), Map.of(), List.of("run", file.toString()))) {
            Await.until("the process answers", () -> answers("/api/overview"));
            for (int round = 0; round < ROUNDS; round++) {
                List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    sent.add(client.sendAsync(
                            get("/api/failures" + FORMS.get(i % FORMS.size())), HttpResponse.BodyHandlers.ofString()));
                }
                for (CompletableFuture<HttpResponse<String>> each : sent) {
                    HttpResponse<String> answer = each.join();
                    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 503);
                    assertThat(answer.body()).containsPattern("\"smaller\":\"9000\"|\"busy\"");
                }
            }
            assertThat(answers("/api/overview")).isTrue();
            assertThat(process.printed()).doesNotContain("OutOfMemoryError");
        }
    }

    /** Not in digits, which make no kind of error. */
    private static String inLetters(int number) {
        return Integer.toString(number)
                .chars()
                .mapToObj(digit -> Character.toString(digit - '0' + 'g'))
                .collect(Collectors.joining());
    }
}
