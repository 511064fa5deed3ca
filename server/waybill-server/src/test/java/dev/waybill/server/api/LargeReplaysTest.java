package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Previews of replays of a journal that is too large to be counted. */
class LargeReplaysTest extends JournalApiFixture {

    private JsonNode preview(String type) throws Exception {
        return api.change(
                "/api/replays/preview", O, "{\"store\":\"orders\",\"relay\":\"main\",\"type\":\"" + type + "\"}");
    }

    /** More ranges of numbers than a preview counts are between the first events and the last. */
    private void appendFarApart() throws Exception {
        journal.append("order.placed", 3);
        for (int range = 0; range < 101; range++) {
            journal.execute("select setval(pg_get_serial_sequence('waybill.event', 'seq'),"
                    + " (select max(seq) from waybill.event) + 200000)");
            journal.append("order.paid", 1);
        }
        journal.append("order.placed", 2);
        journal.append("order.cancelled", 2);
        journal.relay("main", place -> Settlement.PUBLISHED);
    }

    @Test
    void a_replay_can_be_started_although_none_of_its_events_was_counted() throws Exception {
        appendFarApart();
        JsonNode some = preview("order.placed");
        assertThat(some.get("count").asString()).isEqualTo("3");
        assertThat(some.get("exact").asBoolean()).isFalse();
        JsonNode late = preview("order.cancelled");
        assertThat(late.get("count").asString()).isEqualTo("0");
        assertThat(late.get("exact").asBoolean()).isFalse();
        JsonNode operation = api.change(
                "/api/actions/start", O, "{\"token\":\"" + late.get("token").asString() + "\"}");
        assertThat(operation.get("totalExact").asBoolean()).isFalse();
        api.change("/api/operations/" + operation.get("id").asString() + "/cancel", O, "{}");
        api.ended(operation);
    }

    @Test
    void a_replay_of_nothing_is_refused_where_all_was_counted() throws Exception {
        journal.append("order.placed", 3);
        HttpResponse<String> answer =
                api.post("/api/replays/preview", O, "{\"store\":\"orders\",\"relay\":\"main\",\"type\":\"no.such\"}");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("No event matches.");
    }
}
