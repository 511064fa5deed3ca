package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.testkit.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The counts of a replay that is cancelled while messages are in flight, at a real Kafka. */
@Timeout(180)
class CancelledReplayTest {
    private static final int EVENTS = 20_000;

    private final Scene scene = Scene.shared();
    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    private JsonNode call(String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        HttpResponse<String> answer = client.send(
                (body.isEmpty()
                                ? request
                                : request.header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void the_operation_has_counted_every_message_that_was_sent() throws Exception {
        String topic = scene.createTopic(Scene.unused("cancelled-replay"));
        scene.append(topic, EVENTS, "{}");
        Await.until("published by both relays", () -> scene.messagesIn(topic) == 2L * EVENTS);
        try {
            port = FreePort.choose();
            scene.withAnother(port, "not-ready-after: 1d", () -> {
                JsonNode preview = call(
                        "/api/replays/preview",
                        "{\"store\":\"orders\",\"relay\":\"" + Scene.RELAY + "\",\"type\":\"" + topic + "\"}");
                JsonNode begun = call(
                        "/api/actions/start",
                        "{\"token\":\"" + preview.get("token").asString() + "\",\"rate\":10000}");
                String operation = "/api/operations/" + begun.get("id").asString();
                Await.until(
                        "some are sent", () -> call(operation, "").get("done").asInt() > 0);
                call(operation + "/cancel", "{\"reason\":\"enough\"}");
                Await.until("the end", () -> call(operation, "").has("endedAt"));
                JsonNode ended = call(operation, "");
                assertThat(ended.get("state").asString()).isEqualTo("cancelled");
                assertThat(ended.get("done").asLong()).isEqualTo(scene.messagesIn(topic) - 2L * EVENTS);
            });
        } finally {
            // Pages of other tests list all events.
            scene.execute("delete from waybill.event where type = ?", topic);
        }
    }
}
