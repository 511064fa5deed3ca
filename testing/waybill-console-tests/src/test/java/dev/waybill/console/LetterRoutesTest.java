package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.server.access.TokenHash;
import dev.waybill.testkit.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The routes of dead letters at a real Kafka, as viewer and operator. */
@Timeout(180)
class LetterRoutesTest {
    private static final String VIEWER = TokenHash.newToken();
    private static final String OPERATOR = TokenHash.newToken();
    private static final String PREVIEW = "/api/dead-letters/preview";

    private final Scene scene = Scene.shared();
    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    private HttpRequest.Builder request(String path, String token) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String token, String body) throws Exception {
        return send(request(path, token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static JsonNode tree(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    private JsonNode read(String path) throws Exception {
        return tree(send(request(path, VIEWER)));
    }

    private List<JsonNode> letters(String topic) throws Exception {
        return list(read("/api/dead-letters/kafka/" + topic).get("letters"));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static String selection(String action, String topic, String which) {
        return "{\"action\":\"" + action + "\",\"destination\":\"kafka\",\"topic\":\"" + topic + "\"," + which + "}";
    }

    /** Confirms what was previewed, and waits for its end. */
    private JsonNode act(String selection, String reason) throws Exception {
        JsonNode preview = tree(post(PREVIEW, OPERATOR, selection));
        JsonNode begun = tree(post(
                "/api/actions/start",
                OPERATOR,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"" + reason + "\"}"));
        JsonNode[] last = {begun};
        Await.until("the end of the operation", () -> {
            last[0] = read("/api/operations/" + begun.get("id").asString());
            return last[0].has("endedAt");
        });
        return last[0];
    }

    private void serve(Scene.Doing doing) throws Exception {
        port = FreePort.choose();
        String tokens = "tokens: { watcher: { hash: \"%s\" }, ada: { hash: \"%s\", role: operator } }"
                .formatted(
                        TokenHash.make(VIEWER).text(), TokenHash.make(OPERATOR).text());
        scene.withAnother(port, tokens, doing);
    }

    @Test
    void letters_are_listed_sent_back_and_discarded_by_operators_alone_and_audited() throws Exception {
        String origin = scene.createTopic(Scene.unused("routes"));
        String topic = scene.createTopic(origin + ".dlt");
        for (int i = 0; i < 3; i++) {
            scene.sendLetter(topic, origin, "customer " + i + " is unknown", i < 2 ? "billing" : "stock");
        }
        serve(() -> {
            List<JsonNode> letters = letters(topic);
            assertThat(letters).hasSize(3).noneMatch(letter -> letter.has("text") || letter.has("key"));
            assertThat(letters.get(0).get("origin").asString()).isEqualTo(origin);
            assertThat(read("/api/dead-letters/kafka/" + topic + "?limit=2")
                            .get("more")
                            .asBoolean())
                    .isTrue();
            String place = letters.get(0).get("place").asString();
            String one = selection("send-back", topic, "\"places\":[\"" + place + "\"]");

            assertThat(post(PREVIEW, VIEWER, one).statusCode()).isEqualTo(403);
            HttpResponse<String> crossSite = send(request(PREVIEW, OPERATOR)
                    .header("Content-Type", "application/json")
                    .header("Sec-Fetch-Site", "cross-site")
                    .POST(HttpRequest.BodyPublishers.ofString(one)));
            assertThat(crossSite.statusCode()).isEqualTo(403);
            assertThat(crossSite.body()).contains("\"cross-site\"");
            assertThat(send(request(PREVIEW, OPERATOR)
                                    .header("Content-Type", "text/plain")
                                    .POST(HttpRequest.BodyPublishers.ofString(one)))
                            .statusCode())
                    .as("a form of another site can send this")
                    .isEqualTo(415);
            assertThat(letters(topic)).hasSize(3);

            JsonNode sent = act(one, "the customer exists now");
            assertThat(sent.get("done").asString()).isEqualTo("1");
            assertThat(scene.messagesIn(origin)).isEqualTo(1);
            assertThat(letters(topic)).hasSize(2);
            assertThat(post(PREVIEW, OPERATOR, one).statusCode())
                    .as("it is gone")
                    .isEqualTo(404);

            String ofBilling = selection("discard", topic, "\"all\":true,\"consumer\":\"billing\"");
            assertThat(act(ofBilling, "test data").get("done").asString()).isEqualTo("1");
            assertThat(letters(topic))
                    .extracting(letter -> letter.get("consumer").asString())
                    .containsExactly("stock");
            assertThat(scene.messagesIn(origin)).isEqualTo(1);
            assertThat(list(read("/api/audit?who=ada&limit=2").get("entries")))
                    .extracting(
                            entry -> entry.get("action").asString(),
                            entry -> entry.get("why").asString())
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("discard-letter", "test data"),
                            org.assertj.core.groups.Tuple.tuple("send-back", "the customer exists now"));
        });
    }

    @Test
    void a_topic_that_is_not_known_as_one_of_dead_letters_is_not_read() throws Exception {
        String topic = scene.createTopic(Scene.unused("live"));
        scene.sendLetter(topic, topic, "no", "billing");
        serve(() -> {
            for (String token : List.of(VIEWER, OPERATOR)) {
                HttpResponse<String> list = send(request("/api/dead-letters/kafka/" + topic, token));
                assertThat(list.statusCode()).as(list.body()).isEqualTo(403);
            }
            assertThat(post(PREVIEW, OPERATOR, selection("discard", topic, "\"all\":true"))
                            .statusCode())
                    .isEqualTo(403);
        });
    }

    @Test
    void who_cancelled_the_discarding_of_letters_is_audited_with_the_final_counts() throws Exception {
        String topic = scene.createTopic(Scene.unused("cancelled") + ".dlt");
        scene.sendLetters(100, topic, "orders", "no", "billing");
        serve(() -> {
            JsonNode preview = tree(post(PREVIEW, OPERATOR, selection("discard", topic, "\"all\":true")));
            String operation = "/api/operations/"
                    + tree(post(
                                    "/api/actions/start",
                                    OPERATOR,
                                    "{\"token\":\"" + preview.get("token").asString()
                                            + "\",\"reason\":\"a test\",\"rate\":4}"))
                            .get("id")
                            .asString();
            Await.until("some are discarded", () -> read(operation).get("done").asInt() > 0);
            tree(post(operation + "/cancel", OPERATOR, "{\"reason\":\"a mistake\"}"));
            Await.until("the end", () -> read(operation).has("endedAt"));
            int done = read(operation).get("done").asInt();
            assertThat(letters(topic)).hasSize(100 - done);
            assertThat(list(read("/api/audit?action=cancel&limit=1").get("entries")))
                    .singleElement()
                    .satisfies(entry -> {
                        assertThat(entry.get("why").asString()).isEqualTo("a mistake");
                        assertThat(entry.get("details").asString())
                                .contains("discard: " + done + " of 100 done", topic);
                    });
        });
    }

    @Test
    void letters_of_one_consumer_are_not_all_if_there_are_more_than_were_looked_at() throws Exception {
        String topic = scene.createTopic(Scene.unused("many") + ".dlt");
        scene.sendLetters(3, topic, "orders", "no", "billing");
        scene.sendLetters(9_999, topic, "orders", "no", "stock");
        scene.sendLetters(1, topic, "orders", "no", "billing");
        serve(() -> {
            JsonNode preview =
                    tree(post(PREVIEW, OPERATOR, selection("discard", topic, "\"all\":true,\"consumer\":\"billing\"")));
            assertThat(preview.get("count").asString()).isEqualTo("3");
            assertThat(preview.get("exact").asBoolean()).isFalse();
        });
    }

    @Test
    void a_name_that_no_topic_can_have_is_a_bad_request_and_one_that_none_has_is_empty() throws Exception {
        serve(() -> {
            HttpResponse<String> list = send(request("/api/dead-letters/kafka/no%20topic.dlt", VIEWER));
            assertThat(list.statusCode()).as(list.body()).isEqualTo(400);
            assertThat(list.body()).contains("cannot be the name of a topic");
            assertThat(post(PREVIEW, OPERATOR, selection("discard", "no topic.dlt", "\"all\":true"))
                            .statusCode())
                    .isEqualTo(400);
            assertThat(letters(Scene.unused("nowhere") + ".dlt")).isEmpty();
        });
    }
}
