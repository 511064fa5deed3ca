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
    private static final String DETAILS = "2 events: 10, 12a; not changed: 7-1";

    private static boolean names(String id) {
        AuditEntry entry = new AuditEntry("1", Instant.EPOCH, new Actor("ada", ""), "requeue", "main", DETAILS);
        return AuditShape.names(entry, id);
    }

    @Test
    void an_entry_about_event_10_is_not_about_event_1() {
        assertThat(List.of("10", "12a", "7-1")).allMatch(NamedEventTest::names);
        assertThat(List.of("1", "0", "2", "12", "7", "a", "11", "events")).noneMatch(NamedEventTest::names);
    }

    @Test
    void an_entry_about_a_payload_or_a_dead_letter_names_its_event() {
        assertThat(names("payload", "7", "7")).isTrue();
        assertThat(names("payload", "7, or 8", "7")).isFalse();
        assertThat(names("discard", "dead letter 1 of orders.dlt, event 7: not done", "7"))
                .isTrue();
        assertThat(names("send-back", "dead letter 1 of orders.dlt, event 7", "7"))
                .isTrue();
        assertThat(names("send-back", "dead letter 1 of orders.dlt, event 7", "1"))
                .isFalse();
        assertThat(names("cancel", "operation 1, requeue: 1 of 2 done", "1")).isFalse();
    }

    private static boolean names(String action, String details, String id) {
        return AuditShape.names(new AuditEntry("1", Instant.EPOCH, new Actor("ada", ""), action, "main", details), id);
    }

    /** Ids of aggregates are often ids of other things, which a viewer may know or choose. */
    @Test
    void the_replay_of_an_aggregate_is_not_about_the_event_with_the_same_id() throws Exception {
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
        assertThat(list(api.read("/api/events/orders/" + id, O).get("audit"))).isEmpty();
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
