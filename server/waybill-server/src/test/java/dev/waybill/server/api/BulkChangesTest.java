package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Changes of many events of a journal at once, over the API. */
class BulkChangesTest extends JournalApiFixture {
    private static final Settlement DEAD = new Settlement.Dead("refused", true, false);

    private final Settlement later = new Settlement.RetryAt(Instant.now().plusSeconds(3_600), "the broker is away");

    /** Events of one key, in the order of appending. */
    private List<String> ofOneKey(int count) throws Exception {
        List<String> ids = new ArrayList<>();
        try (Connection connection = journal.connect();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                                + " select 'order.placed', 'Order', 'same', '{}' from generate_series(1, " + count
                                + ") returning id")) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }

    private static String named(List<String> ids) {
        return "\"ids\":[\"" + String.join("\",\"", ids) + "\"]";
    }

    private JsonNode start(JsonNode preview, String who, String more) throws Exception {
        return api.ended(api.change(
                "/api/actions/start",
                who,
                "{\"token\":\"" + preview.get("token").asString() + "\",\"reason\":\"a test\"" + more + "}"));
    }

    private static void assertCounts(JsonNode ended, int done, int skipped) {
        assertThat(List.of(
                        ended.get("state").asString(),
                        ended.get("done").asString(),
                        ended.get("skipped").asString(),
                        ended.get("failed").asString()))
                .containsExactly("done", "" + done, "" + skipped, "0");
    }

    private List<Integer> published() {
        List<Integer> published = new ArrayList<>();
        journal.relay("main", place -> {
            published.add(place);
            return Settlement.PUBLISHED;
        });
        return published;
    }

    @Test
    void none_of_a_key_that_is_discarded_with_the_event_it_waits_for_is_published() throws Exception {
        List<String> ids = ofOneKey(5);
        journal.relay("main", place -> place == 0 ? later : Settlement.BEHIND);
        JsonNode preview = preview("discard", named(ids));
        assertThat(preview.get("count").asString()).isEqualTo("5");

        assertCounts(start(preview, O, ""), 5, 0);
        assertThat(published()).isEmpty();
    }

    @Test
    void none_of_a_key_that_is_discarded_in_steps_with_its_dead_event_is_published() throws Exception {
        List<String> ids = ofOneKey(5);
        journal.relay("main", place -> place == 0 ? new Settlement.Dead("no", true, true) : Settlement.BEHIND);

        assertCounts(start(preview("discard", named(ids)), O, ",\"rate\":4"), 5, 0);
        assertThat(published()).isEmpty();
    }

    @Test
    void events_that_are_discarded_in_many_steps_are_found_in_the_audit() throws Exception {
        List<String> ids = journal.append("order.placed", 1_000);
        journal.relay("main", place -> DEAD);
        assertCounts(start(preview("discard", "\"match\":{\"state\":\"dead\"}"), O, ""), 1_000, 0);

        for (int i = 0; i < ids.size(); i += 33) {
            assertThat(list(api.read("/api/events/orders/" + ids.get(i), O).get("audit")))
                    .as("event %d", i)
                    .hasSize(1);
        }
        for (String id : List.of(ids.get(0), ids.get(499), ids.get(999))) {
            assertThat(list(api.read("/api/audit?event=" + id, O).get("entries")))
                    .as(id)
                    .hasSize(1);
        }
    }

    @Test
    void the_later_of_two_operators_is_told_though_the_event_died_again_meanwhile() throws Exception {
        List<String> ids = journal.append("order.placed", 2);
        journal.relay("main", place -> DEAD);
        JsonNode ofOne = preview("requeue", named(ids.subList(0, 1)));
        JsonNode ofOther = api.change(
                "/api/actions/preview",
                ServedApi.OTHER_OPERATOR,
                "{\"action\":\"discard\",\"store\":\"orders\",\"relay\":\"main\"," + named(ids) + "}");
        assertCounts(start(ofOne, O, ""), 1, 0);
        journal.relay("main", place -> new Settlement.Dead("another error", true, false));

        assertCounts(start(ofOther, ServedApi.OTHER_OPERATOR, ""), 1, 1);
        assertThat(api.read("/api/events/orders/" + ids.get(0), V)
                        .get("relays")
                        .get(0)
                        .get("state")
                        .asString())
                .isEqualTo("dead");
    }
}
