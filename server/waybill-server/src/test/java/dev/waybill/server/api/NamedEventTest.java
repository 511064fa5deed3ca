package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the audit tells of one event, and what an operation counts that fails midway. */
class NamedEventTest extends JournalApiFixture {
    private static final String DETAILS = "2 events: 10, 12a, 7-1";

    private static boolean names(String id) {
        AuditEntry entry = new AuditEntry("1", Instant.EPOCH, new Actor("ada", ""), "requeue", "main", DETAILS);
        return AuditShape.names(entry, id, true);
    }

    @Test
    void an_entry_about_event_10_is_not_about_event_1() {
        assertThat(List.of("10", "12a", "7-1")).allMatch(NamedEventTest::names);
        assertThat(List.of("1", "0", "12", "7", "a", "11")).noneMatch(NamedEventTest::names);
    }

    /** Ids of aggregates are often ids of other things, which a viewer may know or choose. */
    @Test
    void a_viewer_does_not_learn_by_the_id_of_an_event_which_aggregate_was_replayed() throws Exception {
        String id = journal.append("order.placed", 1).get(0);
        journal.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload) values"
                + " ('order.placed', 'Order', '" + id + "', '{}')");
        journal.relay("main", place -> Settlement.PUBLISHED);
        JsonNode preview = api.change(
                "/api/replays/preview", O, "{\"store\":\"orders\",\"relay\":\"main\",\"aggregateId\":\"" + id + "\"}");
        JsonNode operation = begin(preview);
        Await.until(
                "the entry of the replay",
                () -> !list(api.read("/api/audit?action=replay-start", V).get("entries"))
                        .isEmpty());
        assertThat(list(api.read("/api/events/orders/" + id, V).get("audit"))).isEmpty();
        assertThat(list(api.read("/api/events/orders/" + id, O).get("audit"))).hasSize(1);
        api.change("/api/operations/" + operation.get("id").asString() + "/cancel", O, "{}");
        api.ended(operation);
    }

    @Test
    void an_event_keeps_its_audit_behind_many_other_entries() throws Exception {
        String id = journal.append("order.placed", 1).get(0);
        journal.relay("main", place -> new Settlement.Dead("no", true, false));
        api.ended(begin(preview("requeue", "\"ids\":[\"" + id + "\"]")));
        journal.execute(
                "insert into waybill.audit (at, who, why, action, relay, details) select clock_timestamp(), 'eve', '',"
                        + " 'pause', 'main', 'entry ' || i from generate_series(1, 1500) i");

        JsonNode event = api.read("/api/events/orders/" + id, V);

        assertThat(list(event.get("audit")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.get("action").asString()).isEqualTo("requeue"));
        assertThat(event.get("auditLookedAt").asString()).isEqualTo("1501");
        assertThat(event.get("auditMore").asBoolean()).isFalse();
    }

    @Test
    void what_was_done_before_an_operation_failed_is_counted() throws Exception {
        List<String> ids = journal.append("order.placed", 4);
        journal.relay(
                "main",
                place -> place < 2
                        ? new Settlement.RetryAt(Instant.now().plusSeconds(3_600), "later")
                        : new Settlement.Dead("no", true, false));
        journal.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                + " if old.state = 'due' then raise exception 'refused by a test'; end if; return old; end $$");
        journal.execute("create trigger refuse before delete or update on waybill.parked for each row execute function"
                + " refuse()");
        JsonNode preview = preview("discard", "\"ids\":[\"" + String.join("\",\"", ids) + "\"]");
        assertThat(preview.get("count").asString()).isEqualTo("4");
        JsonNode ended = api.ended(begin(preview));
        assertThat(ended.get("state").asString()).isEqualTo("failed");
        assertThat(ended.get("done").asString()).isEqualTo("2");
    }

    private JsonNode begin(JsonNode preview) throws Exception {
        return api.change(
                "/api/actions/start",
                O,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\"}");
    }
}
