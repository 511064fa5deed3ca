package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Anyone who may run a relay can write to the register of processes, to parked events and to the audit: no page breaks. */
class HostileReportsTest extends JournalApiFixture {
    private static final String GOOD = "[{\"relay\": \"main\", \"phase\": \"standing by\"}]";
    private static final List<String> NO_REPORTS = List.of(
            "null",
            "\"text\"",
            "[1, null, \"x\", [[]]]",
            "[{}]",
            "[{\"relay\": \"\", \"phase\": \"x\"}]",
            "[{\"relay\": \"main\"}]",
            "[{\"relay\": \"main\", \"phase\": \"x\", \"since\": \"-infinity\"}]",
            "[{\"relay\": \"main\", \"phase\": \"x\", \"since\": \"2026-13-41T99:00:00Z\"}]",
            "[{\"relay\": {\"a\": [\"main\"]}, \"phase\": [], \"since\": {}, \"problem\": {}}]");

    @BeforeEach
    void relay() throws SQLException {
        journal.open("main").close();
    }

    private void announce(String id, String reports) throws SQLException {
        try (Connection connection = journal.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into waybill.process (id, beat, held, relays, until, reports)"
                                + " values (?, 1, 0, '{}', clock_timestamp() + interval '1 hour', ?::jsonb)")) {
            insert.setString(1, id);
            insert.setString(2, reports);
            insert.executeUpdate();
        }
    }

    private JsonNode sampledAgain() throws Exception {
        Instant changed = Instant.now();
        JsonNode[] last = new JsonNode[1];
        Await.until(() -> String.valueOf(last[0]), () -> {
            last[0] = api.read("/api/overview", V).get("stores").get(0);
            return last[0].get("reachable").asBoolean()
                    && Instant.parse(last[0].get("sampledAt").asString()).isAfter(changed);
        });
        return last[0];
    }

    private List<JsonNode> processes() throws Exception {
        return processes("main");
    }

    private List<JsonNode> processes(String name) throws Exception {
        JsonNode relay = api.read("/api/relays/orders/" + name, V).get("relay");
        return relay.has("processes") ? list(relay.get("processes")) : List.of();
    }

    @Test
    void what_is_no_report_hides_no_other() throws Exception {
        for (String hostile : NO_REPORTS) {
            announce("a: " + hostile, hostile);
        }
        announce("b", GOOD);
        sampledAgain();
        assertThat(processes())
                .extracting(each -> each.get("process").asString())
                .containsExactly("b");
    }

    @Test
    void a_huge_report_is_cut_and_many_are_not_read() throws Exception {
        announce(
                "a",
                "[{\"relay\": \"main\", \"phase\": \"" + "p".repeat(3_000_000) + "\", \"problem\": \""
                        + "x".repeat(3_000_000) + "\", \"since\": \"2026-01-01T00:00:00Z\"}]");
        announce("b", GOOD);
        announce("a, many", "[" + "{\"relay\": \"main\", \"phase\": \"x\"},".repeat(30_000) + "{}]");
        sampledAgain();
        assertThat(api.get("/api/overview", V).body().length()).isLessThan(100_000);
        assertThat(processes()).anyMatch(each -> each.get("process").asString().equals("b"));
    }

    @Test
    void the_process_that_runs_a_relay_is_among_those_shown() throws Exception {
        for (int i = 10; i < 40; i++) {
            announce("process " + i, GOOD);
        }
        announce("runner", "[{\"relay\": \"main\", \"phase\": \"running\"}]");
        journal.execute("update waybill.lease set owner = 'runner', lease_until = clock_timestamp() + interval '1 hour'"
                + " where relay = 'main'");
        sampledAgain();
        assertThat(processes()).hasSize(20).anyMatch(each -> each.get("runs").asBoolean());
    }

    @Test
    void a_relay_that_never_ran_tells_why_it_fails_elsewhere() throws Exception {
        announce("a", """
                [{"relay": "invoices", "phase": "standing by", "problem": "another environment", "since": "2026-01-01T00:00:00+00:00"}]""");
        sampledAgain();
        assertThat(processes("invoices")).singleElement().satisfies(each -> {
            assertThat(each.get("problem").asString()).isEqualTo("another environment");
            assertThat(each.get("failingSeconds").asDouble()).isPositive();
        });
    }

    @Test
    void a_locked_register_hides_nothing_else() throws Exception {
        try (Connection connection = journal.connect();
                Statement statement = connection.createStatement()) {
            sampledAgain();
            connection.setAutoCommit(false);
            statement.execute("lock table waybill.process in access exclusive mode");
            Set<String> times = new HashSet<>();
            Await.until("samples go on", Duration.ofSeconds(30), () -> {
                times.add(String.valueOf(
                        api.read("/api/overview", V).get("stores").get(0).get("sampledAt")));
                return times.size() > 2;
            });
            connection.rollback();
        }
    }

    @Test
    void names_of_relays_that_no_relay_can_have_hide_no_failures() throws Exception {
        journal.execute("insert into waybill.relay select (jsonb_populate_record(r, '{\"name\": \"<b> no\"}')).*"
                + " from waybill.relay r where r.name = 'main'");
        sampledAgain();
        assertThat(api.get("/api/failures?store=orders", V).statusCode()).isEqualTo(200);
    }

    @Test
    void huge_errors_and_audit_entries_are_cut() throws Exception {
        List<String> ids = journal.append("order.placed", 2);
        journal.relay("main", place -> new Settlement.Dead("no", true, false));
        journal.execute("update waybill.parked set error = repeat('x', 1000000)");
        journal.execute("insert into waybill.audit (who, why, action, relay, details)"
                + " values ('job', repeat('x', 1000000), 'purge', '', repeat('x', 1000000))");
        for (String path : List.of("failures/orders/main/rows", "events/orders/" + ids.get(0), "audit?store=orders")) {
            assertThat(api.get("/api/" + path, V).body())
                    .as(path)
                    .contains("xxx")
                    .hasSizeLessThan(50_000);
        }
        assertThat(api.post("/api/events/search", V, "{\"store\": \"orders\"}").body())
                .contains("xxx")
                .hasSizeLessThan(50_000);
    }

    @Test
    void a_viewer_cannot_guess_what_the_audit_hides() throws Exception {
        journal.execute("insert into waybill.audit (who, why, action, relay, details)"
                + " values ('job', '', 'requeue', 'main', '3 dead, aggregate anna@example.org')");
        journal.execute("insert into waybill.audit (who, why, action, relay, details)"
                + " values ('job', '', 'requeue', 'main', '2 events: e-7, e-8')");
        String guess = "/api/audit?store=orders&event=anna@example.org";
        for (String person : List.of(V, O)) {
            assertThat(list(api.read(guess, person).get("entries"))).isEmpty();
            assertThat(list(api.read("/api/audit?store=orders&event=e-7", person)
                            .get("entries")))
                    .hasSize(1);
        }
        assertThat(api.read("/api/audit?store=orders", V).toString()).doesNotContain("anna@");
    }
}
