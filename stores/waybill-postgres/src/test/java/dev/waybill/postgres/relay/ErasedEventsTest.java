package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Payloads that were overwritten with plain SQL, as described for erasing a person's events. */
class ErasedEventsTest extends JournalFixture {
    private static final RelayName AGAIN = new RelayName("again");
    private static final Actor ANNA = new Actor("anna", "a consumer was lost");

    @Test
    void a_relay_publishes_nothing_again_and_a_replay_sends_what_is_left() throws SQLException {
        appendPersonal("a1", "b1", "a2");
        RelaySession session = open();
        assertThat(drain(session)).containsExactly("a1", "b1", "a2");

        erase("a");
        append("a3");

        assertThat(drain(session)).containsExactly("a3");
        journal().replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        RelaySession replay =
                tracked(journal().replays().store().open(AGAIN, OWNER, LEASE)).orElseThrow();
        assertThat(payloads(replay.claim(PLENTY).orElseThrow()))
                .containsExactly("{\"erased\": true}", "{\"name\": \"Ada\"}", "{\"erased\": true}", "{}");
    }

    @Test
    void an_event_that_was_not_published_yet_or_waits_for_a_retry_is_sent_without_its_payload() throws SQLException {
        appendPersonal("a1");
        RelaySession session = open();
        Settlement soon = new Settlement.RetryAt(clock().instant().plus(Duration.ofSeconds(1)), "not now");
        session.settle(session.claim(PLENTY).orElseThrow(), List.of(soon));
        appendPersonal("b1");

        erase("a");
        erase("b");
        clock().advance(Duration.ofSeconds(20));

        assertThat(payloads(session.claim(PLENTY).orElseThrow())).containsOnly("{\"erased\": true}");
    }

    private void appendPersonal(String... names) throws SQLException {
        append(names);
        database.execute("update waybill.event set payload = '{\"name\": \"Ada\"}', headers = '{\"name\": \"Ada\"}'");
    }

    private void erase(String aggregate) throws SQLException {
        database.execute("""
                update waybill.event
                   set payload = '{"erased": true}', payload_bytes = null, content_type = null, headers = null
                 where aggregate_type = 'Thing' and aggregate_id = '%s'""".formatted(aggregate));
    }

    private static List<String> payloads(Batch batch) {
        return batch.events().stream()
                .map(event -> new String(event.payload(), StandardCharsets.UTF_8))
                .toList();
    }
}
