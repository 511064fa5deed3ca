package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator does with a journal, over the API. */
class OperatingTest extends JournalApiFixture {
    private static final String CANARY = "canary-77";

    /** Events that are dead with one of two kinds of errors, in turns. */
    private List<String> dead(int count) throws Exception {
        List<String> ids = journal.append("order.placed", count);
        journal.relay(
                "main",
                place -> new Settlement.Dead(
                        place % 2 == 0 ? "no topic \"orders-" + place + "\"" : "refused after " + place + " ms",
                        true,
                        false));
        return ids;
    }

    private JsonNode group(String error) throws Exception {
        return list(api.read("/api/failures", V).get("groups")).stream()
                .filter(each -> each.get("state").asString().equals("dead")
                        && each.get("error").asString().startsWith(error))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode begin(JsonNode preview, String more) throws Exception {
        return api.change(
                "/api/actions/start",
                O,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\"" + more + "}");
    }

    @Test
    void a_store_that_is_away_hides_no_other() throws Exception {
        dead(3);
        Await.until("both stores to be sampled", () -> {
            List<JsonNode> stores = list(api.read("/api/overview", V).get("stores"));
            return stores.get(0).get("reachable").asBoolean()
                    && stores.get(0)
                            .get("relays")
                            .get(0)
                            .path("dead")
                            .asString("")
                            .equals("3")
                    && stores.get(1).has("error");
        });
        JsonNode main = api.read("/api/relays/orders/main", V);
        assertThat(main.get("relay").get("dead").asString()).isEqualTo("3");
        assertThat(main.get("relay").get("state").asString()).isEqualTo("not running");
        assertThat(main.get("configuration").asString()).contains("destination: rabbit");
        assertThat(list(api.read("/api/failures", V).get("unavailable")))
                .extracting(each -> each.get("store").asString())
                .containsExactly("away");
        assertThat(list(api.read("/api/series?store=orders&relay=main", V).get("points")))
                .isNotEmpty();
    }

    @Test
    void dead_events_are_grouped_by_kind_of_error_and_requeued_by_group() throws Exception {
        dead(10);
        JsonNode refused = group("refused");
        assertThat(refused.get("error").asString()).isEqualTo("refused after N ms");
        assertThat(refused.get("count").asString()).isEqualTo("5");
        JsonNode rows = api.read(
                "/api/failures/orders/main/rows?group=" + refused.get("group").asString() + "&limit=3", V);
        assertThat(list(rows.get("rows"))).hasSize(3);
        JsonNode rest = api.read(
                "/api/failures/orders/main/rows?group=" + refused.get("group").asString() + "&limit=3&after="
                        + rows.get("next").asString(),
                V);
        assertThat(list(rest.get("rows"))).hasSize(2);

        JsonNode preview = preview(
                "requeue",
                "\"match\":{\"state\":\"dead\",\"group\":\""
                        + refused.get("group").asString() + "\"}");
        assertThat(preview.get("count").asString()).isEqualTo("5");
        assertThat(preview.get("late").asString()).isEqualTo("5");
        assertThat(list(preview.get("samples"))).hasSize(5);
        String other = "\"match\":{\"state\":\"dead\",\"group\":\""
                + group("no topic").get("group").asString() + "\"}";
        assertThat(preview("discard", other).get("words").asString())
                .isEqualTo("all dead, type order.placed, errors like: no topic \"…\"");
        journal.append("order.placed", 2);
        journal.relay("main", place -> new Settlement.Dead("refused after 1 ms", true, false));
        JsonNode ended = api.ended(begin(preview, ""));
        assertThat(ended.get("state").asString()).isEqualTo("done");
        assertThat(ended.get("done").asString()).isEqualTo("5");
        assertThat(group("refused").get("count").asString())
                .as("what died after the preview is not in it")
                .isEqualTo("2");
        assertThat(api.post(
                                "/api/actions/start",
                                O,
                                "{\"token\":\"" + preview.get("token").asString() + "\"}")
                        .statusCode())
                .as("a token is used once")
                .isEqualTo(410);
        assertThat(list(api.read("/api/audit?action=requeue&who=bob", V).get("entries")))
                .isNotEmpty()
                .allMatch(entry -> entry.get("why").asString().equals("a test"));
    }

    @Test
    void a_group_of_a_thousand_is_requeued_at_a_rate_and_cancelled_midway_and_all_counts_agree() throws Exception {
        dead(2_000);
        JsonNode group = group("no topic");
        assertThat(group.get("count").asString()).isEqualTo("1000");
        JsonNode preview = preview(
                "requeue",
                "\"match\":{\"state\":\"dead\",\"group\":\""
                        + group.get("group").asString() + "\"}");
        assertThat(preview.get("count").asString()).isEqualTo("1000");
        JsonNode begun = begin(preview, ",\"rate\":60");
        String path = "/api/operations/" + begun.get("id").asString();
        Await.until("a step", () -> !api.read(path, V).get("done").asString().equals("0"));
        assertThat(api.post(path + "/cancel", V, "{}").statusCode()).isEqualTo(403);
        api.change(path + "/cancel", O, "{\"reason\":\"the wrong group\"}");
        JsonNode ended = api.ended(begun);

        assertThat(ended.get("state").asString()).isEqualTo("cancelled");
        long done = Long.parseLong(ended.get("done").asString());
        assertThat(done).isBetween(1L, 999L);
        assertThat(ended.get("skipped").asString()).isEqualTo("0");
        assertThat(group("no topic").get("count").asString()).isEqualTo(Long.toString(1_000 - done));
        assertThat(group("refused").get("count").asString())
                .as("the other group")
                .isEqualTo("1000");
        List<JsonNode> steps =
                list(api.read("/api/audit?action=requeue&limit=500", V).get("entries"));
        assertThat(steps).allMatch(each -> each.get("who").asString().contains("bob"));
        assertThat(steps.stream()
                        .mapToLong(each ->
                                Long.parseLong(each.get("details").asString().split(" ", 2)[0]))
                        .sum())
                .as("audited")
                .isEqualTo(done);
        List<JsonNode> cancels = list(api.read("/api/audit?action=cancel", V).get("entries"));
        assertThat(cancels).hasSize(1);
        assertThat(cancels.get(0).get("details").asString()).contains(done + " of 1000 done");
    }

    @Test
    void an_old_entry_of_a_long_audit_is_found() throws Exception {
        journal.execute(
                "insert into waybill.audit (who, why, action, relay, details) values ('nora', 'long ago', 'pause', 'main', '')");
        journal.execute("insert into waybill.audit (who, why, action, relay, details)"
                + " select 'job', '', 'purge', '', i::text from generate_series(1, 6000) i");

        List<JsonNode> found = list(api.read("/api/audit?who=nora", V).get("entries"));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).get("why").asString()).isEqualTo("long ago");
    }

    @Test
    void of_two_operators_at_the_same_time_exactly_one_wins() throws Exception {
        List<String> ids = dead(20);
        for (String id : ids) {
            String ofOne = "{\"store\":\"orders\",\"relay\":\"main\",\"ids\":[\"" + id + "\"],\"action\":\"";
            JsonNode requeue = api.change("/api/actions/preview", O, ofOne + "requeue\"}");
            JsonNode discard = api.change("/api/actions/preview", ServedApi.OTHER_OPERATOR, ofOne + "discard\"}");
            CompletableFuture<HttpResponse<String>> one = startAsync(requeue, O);
            CompletableFuture<HttpResponse<String>> other = startAsync(discard, ServedApi.OTHER_OPERATOR);
            JsonNode requeued = api.ended(JsonMapper.shared().readTree(one.get().body()));
            JsonNode discarded =
                    api.ended(JsonMapper.shared().readTree(other.get().body()));

            assertThat(List.of(
                            requeued.get("done").asString(),
                            requeued.get("skipped").asString(),
                            discarded.get("done").asString(),
                            discarded.get("skipped").asString()))
                    .isIn(List.of("1", "0", "0", "1"), List.of("0", "1", "1", "0"));
            assertThat(api.read("/api/events/orders/" + id, V)
                            .get("relays")
                            .get(0)
                            .get("state")
                            .asString())
                    .isEqualTo(discarded.get("done").asString().equals("1") ? "discarded" : "parked");
        }
    }

    private CompletableFuture<HttpResponse<String>> startAsync(JsonNode preview, String token) {
        String body = "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"at once\"}";
        return api.client()
                .sendAsync(
                        ServedApi.json(api.request("/api/actions/start", token), body)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void of_two_operators_on_one_event_the_first_wins_and_the_other_is_told() throws Exception {
        String id = dead(1).get(0);
        JsonNode one = preview("requeue", "\"ids\":[\"" + id + "\"]");
        JsonNode other = api.change(
                "/api/actions/preview",
                ServedApi.OTHER_OPERATOR,
                "{\"action\":\"discard\",\"store\":\"orders\",\"relay\":\"main\",\"ids\":[\"" + id + "\"]}");
        assertThat(api.post(
                                "/api/actions/start",
                                O,
                                "{\"token\":\"" + other.get("token").asString() + "\",\"reason\":\"not mine\"}")
                        .statusCode())
                .as("somebody else's preview")
                .isEqualTo(410);
        assertThat(api.post(
                                "/api/actions/start",
                                ServedApi.OTHER_OPERATOR,
                                "{\"token\":\"" + other.get("token").asString() + "\"}")
                        .statusCode())
                .as("discarding without a reason")
                .isEqualTo(400);
        JsonNode won = api.ended(api.change(
                "/api/actions/start",
                ServedApi.OTHER_OPERATOR,
                "{\"token\":\"" + other.get("token").asString() + "\",\"reason\":\"first\"}"));
        assertThat(won.get("done").asString()).isEqualTo("1");
        JsonNode lost = api.ended(begin(one, ""));
        assertThat(lost.get("done").asString()).isEqualTo("0");
        assertThat(lost.get("skipped").asString()).isEqualTo("1");
        JsonNode event = api.read("/api/events/orders/" + id, V);
        assertThat(event.get("relays").get(0).get("state").asString()).isEqualTo("discarded");
        assertThat(list(event.get("audit"))).isNotEmpty();
    }

    @Test
    void discarding_many_needs_the_name_of_the_relay() throws Exception {
        dead(1_001);
        JsonNode preview = preview("discard", "\"match\":{\"state\":\"dead\"}");
        assertThat(preview.get("confirm").asString()).isEqualTo("main");
        String start = "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\",\"rate\":10000";
        assertThat(api.post("/api/actions/start", O, start + "}").statusCode()).isEqualTo(409);
        JsonNode ended = api.ended(api.change("/api/actions/start", O, start + ",\"confirm\":\"main\"}"));
        assertThat(ended.get("done").asString()).isEqualTo("1001");
    }

    @Test
    void keys_and_payloads_are_hidden_from_viewers_and_revealing_is_audited() throws Exception {
        String id = journal.append("order.placed", 1).get(0);
        journal.relay("main", place -> Settlement.PUBLISHED);
        String search = "{\"store\":\"orders\",\"aggregateId\":\"1\"}";
        assertThat(api.post("/api/events/search", V, "{\"store\":\"orders\"}").body())
                .contains(id)
                .doesNotContain("aggregateId", CANARY);
        assertThat(api.post("/api/events/search", O, search).body())
                .contains("\"aggregateId\":\"1\"")
                .doesNotContain(CANARY);
        assertThat(api.get("/api/events/orders/" + id, V).body()).doesNotContain("aggregateId", CANARY);

        String path = "/api/events/orders/" + id + "/payload";
        assertThat(api.post(path, V, "{\"reason\":\"curious\"}").statusCode()).isEqualTo(403);
        assertThat(api.post(path, O, "{}").statusCode()).isEqualTo(400);
        assertThat(api.change(path, O, "{\"reason\":\"ticket 7\"}").get("text").asString())
                .contains(CANARY);
        assertThat(list(api.read("/api/audit?event=" + id, V).get("entries")))
                .anyMatch(entry -> entry.get("why").asString().equals("ticket 7")
                        && entry.get("who").asString().equals("bob"));
    }

    @Test
    void a_relay_is_paused_resumed_and_dropped() throws Exception {
        journal.append("order.placed", 1);
        journal.relay("main", place -> Settlement.PUBLISHED);
        assertThat(api.post("/api/relays/orders/main/pause", O, "{}").statusCode())
                .isEqualTo(400);
        assertThat(api.change("/api/relays/orders/main/pause", O, "{\"reason\":\"x\"}")
                        .get("relay")
                        .get("state")
                        .asString())
                .isEqualTo("paused");
        assertThat(api.change("/api/relays/orders/main/resume", O, "{}")
                        .get("relay")
                        .get("state")
                        .asString())
                .isEqualTo("not running");
        String drop = "/api/relays/orders/main/drop";
        assertThat(api.post(drop, O, "{\"reason\":\"x\",\"confirm\":\"other\"}").statusCode())
                .isEqualTo(409);
        api.change(drop, O, "{\"reason\":\"x\",\"confirm\":\"main\"}");
        assertThat(api.post(drop, O, "{\"reason\":\"x\",\"confirm\":\"main\"}").statusCode())
                .isEqualTo(404);
    }

    @Test
    void checks_find_what_the_doctor_finds() throws Exception {
        api.change("/api/checks/run", V, "{}");
        JsonNode[] checks = new JsonNode[1];
        Await.until("the end of the examination", () -> {
            checks[0] = api.read("/api/checks", V);
            return !checks[0].get("running").asBoolean();
        });
        List<JsonNode> findings = list(checks[0].get("findings"));
        assertThat(findings.get(0).get("severity").asString()).isEqualTo("problem");
        assertThat(findings)
                .extracting(each -> each.get("about").asString())
                .contains("store orders", "store away", "relay main", "destination rabbit");
        assertThat(findings)
                .filteredOn(each -> !each.get("severity").asString().equals("fine"))
                .allMatch(each -> each.has("remedy"));
    }

    @Test
    void the_stream_tells_the_overview_and_operations() throws Exception {
        dead(2);
        HttpResponse<java.io.InputStream> stream =
                api.client().send(api.request("/api/live", V).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            await(lines, "event: overview");
            assertThat(lines.readLine()).startsWith("data: {\"at\":");
            begin(preview("requeue", "\"match\":{\"state\":\"dead\"}"), "");
            await(lines, "event: operation");
            assertThat(lines.readLine()).contains("\"requeue\"");
        }
    }

    /** The stream sends something every second, so this ends. */
    private static void await(BufferedReader lines, String wanted) throws Exception {
        for (String line = lines.readLine(); !wanted.equals(line); line = lines.readLine()) {
            assertThat(line).isNotNull();
        }
    }

    @Test
    void a_replay_whose_events_all_die_ends_and_counts_them_as_failed() throws Exception {
        journal.append("order.placed", 3);
        journal.relay("invoices", place -> Settlement.PUBLISHED);
        JsonNode preview = api.change(
                "/api/replays/preview", O, "{\"store\":\"orders\",\"relay\":\"invoices\",\"name\":\"again\"}");
        JsonNode ended = api.ended(begin(preview, ""));
        assertThat(ended.get("state").asString()).isEqualTo("done");
        assertThat(ended.get("failed").asString()).isEqualTo("3");
        assertThat(ended.get("done").asString()).isEqualTo("0");
    }

    @Test
    void replays_are_shown_and_cancelled() throws Exception {
        journal.append("order.placed", 3);
        journal.relay("main", place -> Settlement.PUBLISHED);
        JsonNode preview =
                api.change("/api/replays/preview", O, "{\"store\":\"orders\",\"relay\":\"main\",\"name\":\"again\"}");
        assertThat(preview.get("count").asString()).isEqualTo("3");
        JsonNode begun = begin(preview, "");
        Await.until(
                "the replay",
                () -> !list(api.read("/api/replays", V).get("replays")).isEmpty());
        api.change("/api/operations/" + begun.get("id").asString() + "/cancel", O, "{}");
        assertThat(api.ended(begun).get("state").asString()).isEqualTo("cancelled");
        assertThat(list(api.read("/api/replays", V).get("replays"))
                        .get(0)
                        .get("state")
                        .asString())
                .isIn("cancelled", "cancelling");
    }
}
