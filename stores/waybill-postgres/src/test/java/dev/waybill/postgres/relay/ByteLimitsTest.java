package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.ExplainedStatements.Explained;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large events are claimed a few at a time, and no more of them are fetched or read. */
class ByteLimitsTest extends JournalFixture {
    private static final int EVENTS = 100;
    private static final int EVENT_BYTES = 300_000;
    private static final Limits LIMITS = new Limits(500, 5_000_000);
    private static final int FITTING = 5_000_000 / EVENT_BYTES;

    private final ExplainedStatements statements = new ExplainedStatements(database.dataSource());

    /** Rows may be older than the limits. */
    @BeforeAll
    void dropLimits() throws SQLException {
        JournalSizesTest.dropLimits(database);
    }

    @ParameterizedTest
    @ValueSource(strings = {"payload", "payload_bytes", "headers", "content_type"})
    void no_claim_fetches_more_than_the_limit(String column) throws SQLException {
        appendLarge(column, 1, EVENTS);
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));

        assertThat(drainWithinLimits(session)).isEqualTo(numbered(1, EVENTS));
        assertThat(largeOnesFetched()).isNotEmpty().allMatch(rows -> rows <= FITTING);
    }

    /** 27 bytes in the table, 130,000 as text. */
    @Test
    void no_claim_fetches_headers_whose_text_exceeds_the_limit() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload, headers)
                select 'n' || n, 'Thing', n::text, '{}', '{"a":1e130000}' from generate_series(1, 100) n""");
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));

        assertThat(drainWithinLimits(session)).isEqualTo(numbered(1, 100));
        assertThat(largeOnesFetched()).isNotEmpty().allMatch(rows -> rows <= 5_000_000 / 130_000);
    }

    @Test
    void no_claim_in_a_window_with_late_transactions_fetches_more_than_the_limit() throws SQLException {
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        Connection late = begin();
        appendLarge(late, "payload", 1, 50);
        append("x1");
        assertThat(drain(session)).containsExactly("x1");
        appendLarge("payload", 51, 100);
        late.commit();

        assertThat(drainWithinLimits(session)).isEqualTo(numbered(1, 100));
        assertThat(largeOnesFetched()).isNotEmpty().allMatch(rows -> rows <= FITTING);
    }

    @Test
    void no_claim_of_parked_events_fetches_more_than_the_limit() throws SQLException {
        appendLarge("payload", 1, 60);
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        for (Optional<Batch> batch = session.claim(LIMITS); batch.isPresent(); batch = session.claim(LIMITS)) {
            session.settle(
                    batch.get(),
                    batch.get().events().stream()
                            .<Settlement>map(event ->
                                    new Settlement.RetryAt(clock().instant().plusSeconds(1), "busy"))
                            .toList());
        }
        clock().advance(Duration.ofSeconds(2));

        assertThat(drainWithinLimits(session)).containsExactlyInAnyOrderElementsOf(numbered(1, 60));
        assertThat(largeOnesFetched()).isNotEmpty().allMatch(rows -> rows <= FITTING);
    }

    @Test
    void large_events_among_small_ones_are_complete_and_in_order() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'n' || n, 'Thing', n::text, to_json(repeat('x', case when n % 3 = 0 then 300000 else n end))
                  from generate_series(1, 100) n""");
        RelaySession session = open();
        int n = 0;
        for (Optional<Batch> batch = session.claim(LIMITS); batch.isPresent(); batch = session.claim(LIMITS)) {
            for (StoredEvent event : batch.get().events()) {
                n++;
                assertThat(event.type()).hasToString("n" + n);
                assertThat(event.payload())
                        .hasSize((n % 3 == 0 ? 300_000 : n) + 2)
                        .startsWith('"')
                        .endsWith('"');
            }
            publish(session, batch.get());
        }
        assertThat(n).isEqualTo(100);
    }

    @Test
    void payloads_that_do_not_fit_are_not_read_from_disk() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'n' || n, 'Thing', n::text,
                       to_json((select string_agg(md5(n || ':' || i), '') from generate_series(1, 9375) i))
                  from generate_series(1, 60) n""");
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        statements.take();

        assertThat(names(session.claim(LIMITS).orElseThrow())).isEqualTo(numbered(1, FITTING));

        assertThat(statements.take().stream()
                        .filter(one -> one.sql().equals(WindowReader.PAGE))
                        .map(Explained::buffers))
                .as("pages touched; one event fills 37")
                .hasSize(1)
                .allMatch(buffers -> buffers <= 30);
    }

    @Test
    void an_event_larger_than_the_limit_is_claimed_alone() throws SQLException {
        appendLarge("payload", 1, 3);
        RelaySession session = open();
        for (int i = 1; i <= 3; i++) {
            Batch batch = session.claim(new Limits(500, 1_000)).orElseThrow();
            assertThat(names(batch)).containsExactly("n" + i);
            publish(session, batch);
        }
        assertThat(session.claim(new Limits(500, 1_000))).isEmpty();
    }

    private static List<String> drainWithinLimits(RelaySession session) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(LIMITS); batch.isPresent(); batch = session.claim(LIMITS)) {
            long bytes =
                    batch.get().events().stream().mapToLong(StoredEvent::bytes).sum();
            assertThat(bytes).isLessThanOrEqualTo(LIMITS.bytes());
            published.addAll(names(batch.get()));
            publish(session, batch.get());
        }
        return published;
    }

    /** Rows that each statement for withheld columns fetched. */
    private List<Long> largeOnesFetched() {
        return statements.take().stream()
                .filter(one -> one.sql().equals(EventPage.WITHHELD))
                .map(Explained::rows)
                .toList();
    }

    private static List<String> numbered(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(n -> "n" + n).toList();
    }

    private void appendLarge(String column, int first, int last) throws SQLException {
        try (Connection connection = database.begin()) {
            appendLarge(connection, column, first, last);
            connection.commit();
        }
    }

    private static void appendLarge(Connection connection, String column, int first, int last) throws SQLException {
        String large = "repeat('x', " + (EVENT_BYTES - 2) + ")";
        String columns = column.equals("payload")
                ? "payload"
                : column.equals("headers") ? "payload, headers" : "payload_bytes, content_type";
        String values = switch (column) {
            case "payload" -> "to_json(" + large + ")";
            case "headers" -> "'{}', jsonb_build_object('h', " + large + ")";
            case "content_type" -> "'', " + large;
            default -> "convert_to(" + large + ", 'UTF8'), 'text/plain'";
        };
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into waybill.event (type, aggregate_type, aggregate_id, " + columns + ")"
                    + " select 'n' || n, 'Thing', n::text, " + values + " from generate_series(" + first + ", " + last
                    + ") n");
        }
    }
}
