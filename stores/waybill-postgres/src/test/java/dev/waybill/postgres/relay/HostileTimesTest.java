package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extreme times that PostgreSQL can store must not stop a relay. */
class HostileTimesTest extends JournalFixture {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Repeated, because the driver changes to binary transfer after some executions. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "infinity",
                "-infinity",
                "12000-01-01",
                "294276-01-01",
                "0044-03-15 BC",
                "1850-01-01 00:00:00+00:19:32"
            })
    void an_event_of_any_time_is_published(String time) throws SQLException {
        RelaySession session = open();
        for (int i = 0; i < 10; i++) {
            database.execute("""
                    insert into waybill.event (type, aggregate_type, aggregate_id, payload, created_at)
                    values ('p', 'Thing', 'p', '{}', '%s')""".formatted(time));
            Batch batch = session.claim(PLENTY).orElseThrow();
            assertThat(batch.events())
                    .singleElement()
                    .satisfies(event -> assertThat(event.createdAt()).isBetween(EARLIEST, LATEST));
            publish(session, batch);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"infinity", "12000-01-01", "294276-01-01", "0044-03-15 BC", "-infinity"})
    void a_parked_event_due_at_any_time_does_not_block_others(String time) throws SQLException {
        try (RelaySession session = open()) {
            append("a1");
            session.settle(
                    session.claim(PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock().instant().plusSeconds(1), "later")));
        }
        database.execute("update waybill.parked set next_attempt_at = '" + time + "'");

        RelaySession session = open();
        for (int i = 1; i < 10; i++) {
            append("b" + i);
            assertThat(drain(session)).contains("b" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"infinity", "-infinity", "294276-01-01", "4700-01-01 BC"})
    void the_status_can_be_read(String time) throws SQLException {
        open().close();
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload, created_at)
                values ('p', 'Thing', 'p', '{}', '%s')""".formatted(time));

        assertThat(journal().admin().relays())
                .singleElement()
                .satisfies(relay -> assertThat(relay.backlog()).isOne());
    }
}
