package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.config.Installation;
import dev.waybill.server.process.RunningProcess;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What somebody sees of a journal, over the API. */
class WatchingTest extends JournalApiFixture {
    private static final String OF_WAYBILL =
            " from pg_stat_activity where datname = current_database() and application_name = 'waybill'";

    private RunningProcess another(String name) throws Exception {
        return RunningProcess.start(Installation.read(Files.writeString(
                directory.resolve(name), """
                server: { port: 0 }
                stores:
                  orders: { type: postgres-journal, url: "%s", user: postgres }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  main: { store: orders, destination: rabbit, lease: 2s }
                """.formatted(journal.url().replaceFirst("[?].*", "")))));
    }

    private List<JsonNode> processes() throws Exception {
        JsonNode relay = api.read("/api/relays/orders/main", V).get("relay");
        return relay.has("processes") ? list(relay.get("processes")) : List.of();
    }

    @Test
    void other_processes_say_who_runs_a_relay_and_why_it_fails_and_who_stands_by() throws Exception {
        journal.append("order.placed", 1);
        try (RunningProcess one = another("one.yaml");
                RunningProcess two = another("two.yaml")) {
            assertThat(List.of(one, two)).doesNotHaveDuplicates();
            Await.until(
                    "one runs it and fails, and one stands by",
                    () -> processes().stream()
                                    .anyMatch(each -> each.get("runs").asBoolean()
                                            && each.get("phase").asString().equals("backing off")
                                            && each.get("failingSeconds").asDouble() > 0
                                            && each.get("problem").asString().contains("RabbitMQ"))
                            && processes().stream()
                                    .anyMatch(each -> !each.get("runs").asBoolean()
                                            && each.get("phase").asString().equals("standing by")
                                            && !each.has("problem")));
            assertThat(processes())
                    .hasSize(2)
                    .noneMatch(each -> each.get("here").asBoolean());
        }
        Await.until("both have left", () -> processes().isEmpty());
    }

    @Test
    void samples_share_a_connection_and_go_on_when_the_server_has_ended_it() throws Exception {
        JsonNode first = sampledAfter(Instant.now());
        long process = journal.number("select pid" + OF_WAYBILL);
        sampledAfter(Instant.now());
        assertThat(journal.number("select pid" + OF_WAYBILL)).isEqualTo(process);

        assertThat(journal.number("select count(pg_terminate_backend(pid, 30000))" + OF_WAYBILL))
                .isEqualTo(1);
        JsonNode later = sampledAfter(Instant.now());
        assertThat(later.has("error")).isFalse();
        assertThat(later.get("sampledAt")).isNotEqualTo(first.get("sampledAt"));
    }

    /** The relay exists there, or it does not: nobody knows. */
    @Test
    void of_a_store_that_cannot_be_read_everything_is_unknown_since_a_time_and_for_a_reason() throws Exception {
        Await.until("it was tried", () -> away().has("error"));
        JsonNode store = away();
        assertThat(store.get("reachable").asBoolean()).isFalse();
        assertThat(store.get("error").asString()).isNotBlank();
        Instant since = Instant.parse(store.get("unavailableSince").asString());
        assertThat(list(store.get("relays")))
                .extracting(relay -> relay.get("state").asString())
                .containsExactly("unknown");

        JsonNode relay = api.read("/api/relays/away/lost", V);
        assertThat(relay.at("/relay/state").asString()).isEqualTo("unknown");
        assertThat(relay.get("unavailableSince").asString()).isEqualTo(since.toString());
        assertThat(api.get("/api/relays/away/other", V).statusCode()).isEqualTo(503);
        sampledAfter(Instant.EPOCH);
        assertThat(api.get("/api/relays/orders/other", V).statusCode()).isEqualTo(404);
        for (String path : List.of("failures", "audit", "replays")) {
            JsonNode unavailable = api.read("/api/" + path, V).get("unavailable");
            assertThat(list(unavailable)).as(path).hasSize(1);
            assertThat(unavailable.get(0).get("store").asString()).isEqualTo("away");
            assertThat(unavailable.get(0).get("since").asString()).isEqualTo(since.toString());
        }
    }

    /** What was read before may have changed: somebody may have paused it, or it runs no more. */
    @Test
    void the_state_of_a_relay_is_unknown_as_soon_as_its_store_cannot_be_read_again() throws Exception {
        journal.open("main").close();
        Await.until(
                "it is known",
                () -> api.read("/api/relays/orders/main", V)
                        .at("/relay/state")
                        .asString()
                        .equals("not running"));
        journal.execute("alter schema waybill rename to gone");
        Await.until(
                "it is unknown",
                () -> api.read("/api/relays/orders/main", V)
                        .at("/relay/state")
                        .asString()
                        .equals("unknown"));
        assertThat(api.read("/api/relays/orders/main", V).at("/relay/backlog").asString())
                .as("the last known one")
                .isEqualTo("0");
    }

    private JsonNode away() throws Exception {
        return api.read("/api/overview", V).get("stores").get(1);
    }

    private JsonNode sampledAfter(Instant time) throws Exception {
        JsonNode[] last = new JsonNode[1];
        Await.until(() -> String.valueOf(last[0]), () -> {
            last[0] = api.read("/api/overview", V).get("stores").get(0);
            return last[0].has("sampledAt")
                    && Instant.parse(last[0].get("sampledAt").asString()).isAfter(time);
        });
        return last[0];
    }

    @Test
    void a_register_that_cannot_be_read_hides_nothing_else() throws Exception {
        journal.execute(
                "insert into waybill.process (id, beat, held, relays, until, reports) values"
                        + " ('one', 1, 0, '{}', clock_timestamp() + interval '1 hour', '{}'),"
                        + " ('two', 1, 0, '{}', clock_timestamp() + interval '1 hour', '[{\"relay\": \"\", \"phase\": \"x\"}]')");
        assertThat(sampledAfter(Instant.now()).get("reachable").asBoolean()).isTrue();
    }

    @Test
    void what_waits_behind_a_blocker_is_counted_and_listed_without_its_key() throws Exception {
        journal.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                + " select 'order.placed', 'Order', 'the same', '{}' from generate_series(1, 1102)");
        journal.relay(
                "main",
                place -> place == 0
                        ? new Settlement.RetryAt(Instant.now().plusSeconds(3600), "broker says no", true)
                        : place == 1101 ? Settlement.PUBLISHED : Settlement.BEHIND);
        String blocker = first("due");
        JsonNode behind = api.read("/api/failures/orders/main/behind/" + blocker + "?limit=3", V);
        assertThat(behind.get("count").asString()).isEqualTo("1000");
        assertThat(behind.get("more").asBoolean()).isTrue();
        assertThat(list(behind.get("rows")))
                .hasSize(3)
                .allMatch(row -> row.get("state").asString().equals("waiting"))
                .noneMatch(row -> row.toString().contains("the same"));
        String next = list(behind.get("rows")).get(0).get("id").asString();
        assertThat(next).isEqualTo(first("waiting"));
        assertThat(api.read("/api/failures/orders/main/behind/none", V)
                        .get("count")
                        .asString())
                .isEqualTo("0");
        assertThat(api.get("/api/failures/none/main/behind/none", V).statusCode())
                .isEqualTo(404);
    }

    private String first(String state) throws Exception {
        return api.read("/api/failures/orders/main/rows?limit=1&state=" + state, V)
                .get("rows")
                .get(0)
                .get("id")
                .asString();
    }

    @Test
    void pages_of_the_audit_neither_repeat_nor_skip_entries_while_it_grows() throws Exception {
        String entries = "insert into waybill.audit (who, why, action, relay, details)"
                + " select 'job', '', 'purge', '', 'entry ' || i from generate_series(%d, %d) i";
        journal.execute(entries.formatted(1, 700));
        Set<String> seen = new HashSet<>();
        Optional<String> next = Optional.empty();
        int pages = 0;
        do {
            JsonNode page = api.read(
                    "/api/audit?limit=90" + next.map(after -> "&after=" + after).orElse(""), V);
            assertThat(list(page.get("entries")))
                    .allMatch(entry -> seen.add(entry.get("details").asString()));
            next = Optional.ofNullable(page.get("next")).map(JsonNode::asString);
            pages++;
            journal.execute(entries.formatted(1000 * pages, 1000 * pages + 50));
        } while (next.isPresent());
        assertThat(seen).hasSize(700).contains("entry 1", "entry 700");
        assertThat(pages).isEqualTo(8);
        for (String wrong : List.of("6000", "!", "b3JkZXJzCXg")) {
            assertThat(api.get("/api/audit?after=" + wrong, V).statusCode())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }
}
