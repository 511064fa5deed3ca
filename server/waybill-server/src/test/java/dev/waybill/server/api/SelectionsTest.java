package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What may be selected, and who sees it. */
class SelectionsTest extends JournalApiFixture {
    private JsonNode begin(JsonNode preview, String more) throws Exception {
        return api.change(
                "/api/actions/start",
                O,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\"" + more + "}");
    }

    /** The stream sends something every second, so this ends. */
    private static void await(BufferedReader lines, String wanted) throws Exception {
        for (String line = lines.readLine(); !wanted.equals(line); line = lines.readLine()) {
            assertThat(line).isNotNull();
        }
    }

    @Test
    void of_ids_that_were_given_only_those_that_the_relay_has_are_counted() throws Exception {
        String id = journal.append("order.placed", 2).get(0);
        journal.relay("main", place -> new Settlement.Dead("refused", true, false));
        JsonNode preview = preview("requeue", "\"ids\":[\"00000000-0000-4000-8000-000000000001\",\"" + id + "\"]");
        assertThat(preview.get("count").asString()).isEqualTo("1");
        assertThat(preview.get("words").asString()).isEqualTo("1 event by id");
        JsonNode ended = api.ended(begin(preview, ""));
        assertThat(ended.get("total").asString()).isEqualTo("1");
        assertThat(ended.get("done").asString()).isEqualTo("1");
        assertThat(ended.get("skipped").asString()).isEqualTo("0");
    }

    @Test
    void whom_an_operator_selected_is_hidden_from_viewers() throws Exception {
        journal.append("order.placed", 1);
        journal.relay("main", place -> Settlement.PUBLISHED);
        HttpResponse<java.io.InputStream> stream =
                api.client().send(api.request("/api/live", V).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            await(lines, "event: overview");
            begin(
                    api.change(
                            "/api/replays/preview",
                            O,
                            "{\"store\":\"orders\",\"relay\":\"main\",\"aggregateId\":\"1\"}"),
                    "");
            await(lines, "event: operation");
            assertThat(lines.readLine()).contains("aggregate [hidden]").doesNotContain("aggregate id 1");
        }
        JsonNode operation = api.read("/api/operations", V).get("operations").get(0);
        assertThat(operation.get("words").asString()).isEqualTo("aggregate [hidden]");
        assertThat(api.read("/api/operations/" + operation.get("id").asString(), V)
                        .get("words")
                        .asString())
                .isEqualTo("aggregate [hidden]");
        assertThat(api.read("/api/operations", O)
                        .get("operations")
                        .get(0)
                        .get("words")
                        .asString())
                .contains("aggregate id 1");
        Await.until(
                "the entry of the replay",
                () -> !list(api.read("/api/audit?action=replay-start", V).get("entries"))
                        .isEmpty());
        assertThat(list(api.read("/api/audit?action=replay-start", V).get("entries")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.get("details").asString())
                        .contains("aggregate [hidden]")
                        .doesNotContain("aggregate 1", "aggregate id"));
        api.change("/api/operations/" + operation.get("id").asString() + "/cancel", O, "{}");
        api.ended(operation);
    }

    @Test
    void values_that_a_store_cannot_read_are_bad_requests() throws Exception {
        for (String body : List.of(
                "{\"store\":\"orders\",\"after\":\"999999999999999999999\"}",
                "{\"store\":\"orders\",\"from\":\"+1000000000-12-31T23:59:59Z\"}")) {
            assertThat(api.post("/api/events/search", V, body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(api.get("/api/audit?until=-1000000000-01-01T00:00:00Z", V).statusCode())
                .isEqualTo(400);
    }

    @Test
    void a_viewer_does_not_learn_which_keys_and_aggregates_exist() throws Exception {
        for (String field : List.of("aggregateId", "key")) {
            String search = "{\"store\":\"orders\",\"" + field + "\":\"1\"}";
            assertThat(api.post("/api/events/search", V, search).statusCode()).isEqualTo(403);
            assertThat(api.post("/api/events/search", O, search).statusCode()).isEqualTo(200);
        }
    }
}
