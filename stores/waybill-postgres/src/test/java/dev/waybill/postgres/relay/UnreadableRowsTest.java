package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.testkit.SharedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A row that cannot be read does not keep the others from being published. Here a byte has no equivalent in UTF-8: 0x81 of
 * WIN1252, which PostgreSQL stores and cannot return.
 */
class UnreadableRowsTest extends JournalFixture {
    private static final String BAD = "chr(129)";
    private static final String INSERT = """
            insert into waybill.event (type, aggregate_type, aggregate_id, topic, key, payload, payload_bytes, content_type, headers)
            values (%s, %s, %s, %s, %s, %s, %s, %s, %s)""";
    private static final List<String> COLUMNS = List.of(
            "type", "aggregate_type", "aggregate_id", "topic", "key", "payload", "payload_bytes", "content_type", "headers");

    UnreadableRowsTest() {
        super(JournalDatabase.inEncoding(SharedPostgres.server(), "WIN1252"));
    }

    /** Rows may be older than the checks of a trigger. */
    @BeforeAll
    void createJournal() throws SQLException {
        try (Connection connection = database.connect()) {
            JournalSchema.create(connection);
        }
        database.execute("alter table waybill.event disable trigger user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "aggregate_type", "aggregate_id", "topic", "key", "payload", "content_type", "headers"})
    void a_row_of_which_one_column_cannot_be_read_is_dead_with_the_reason_and_the_others_go_on(String column)
            throws SQLException {
        append("a1", "b1");
        appendBad(column);
        append("a2", "b2");
        RelaySession session = open();
        List<String> dead = new ArrayList<>();

        assertThat(drainOver(session, dead)).containsExactly("a1", "b1", "a2", "b2");
        assertThat(dead).singleElement().asString().contains("seq 3", "because of " + column + " (SQLSTATE 22P05");
        assertThat(database.texts("select seq::text || ' ' || state from waybill.parked")).containsExactly("3 dead");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1_000})
    void each_of_many_is_found_whatever_the_limit_of_a_batch(int events) throws SQLException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            if (i % 3 == 1 || i > 36) {
                appendBad("payload");
            } else {
                append("n" + i);
                expected.add("n" + i);
            }
        }
        RelaySession session = open();
        List<String> dead = new ArrayList<>();

        assertThat(drainOver(session, dead, new Limits(events, 1_000_000))).isEqualTo(expected);
        assertThat(dead).hasSize(40 - expected.size()).doesNotHaveDuplicates();
    }

    /** They hold their key: the bytes of a key that cannot be read are the same for all its events. */
    @Test
    void events_of_one_key_that_cannot_be_read_wait_for_each_other() throws SQLException {
        appendBad("key");
        appendBad("key");
        append("a1");
        RelaySession session = open();
        Batch first = session.claim(PLENTY).orElseThrow();
        session.settle(first, List.of(new Settlement.Dead("it cannot be read", false, true)));

        assertThat(drain(session)).containsExactly("a1");
        assertThat(database.texts("select state from waybill.parked order by seq")).containsExactly("dead", "waiting");
    }

    @Test
    void a_late_transaction_with_such_a_row_is_read_in_order() throws SQLException {
        Connection late = begin();
        append(late, "a1");
        append("b1");
        RelaySession session = open();
        assertThat(drain(session)).containsExactly("b1");
        try (var statement = late.createStatement()) {
            statement.execute(bad("payload"));
        }
        append(late, "a2");
        append("b2");
        late.commit();
        appendBad("payload");
        append("b3");
        List<String> dead = new ArrayList<>();

        assertThat(drainOver(session, dead)).containsExactly("a1", "a2", "b2", "b3");
        assertThat(dead).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"payload,22P05", "key,22P05"})
    void it_is_published_once_it_is_corrected_and_requeued_and_stays_dead_before(String column, String state)
            throws SQLException {
        appendBad(column);
        RelaySession session = open();
        List<String> dead = new ArrayList<>();
        assertThat(drainOver(session, dead)).isEmpty();
        database.execute("update waybill.parked set state = 'due', next_attempt_at = '-infinity'");
        clock().advance(Duration.ofSeconds(11));
        assertThat(drainOver(session, dead)).isEmpty();
        assertThat(dead).hasSize(2).allSatisfy(reason -> assertThat(reason).contains(state));
        database.execute("update waybill.event set " + column + " = " + (column.equals("payload") ? "'{}'" : "'k'"));
        database.execute("update waybill.parked set state = 'due', next_attempt_at = '-infinity'");
        clock().advance(Duration.ofSeconds(11));

        assertThat(drainOver(session, dead)).containsExactly("good");
        assertThat(database.number("select count(*) from waybill.parked")).isZero();
    }

    @Test
    void a_session_of_windows_gives_it_up() throws SQLException {
        append("a1");
        appendBad("payload");
        append("a2");
        try (WindowSession session = journal().openWindows(RELAY, OWNER, LEASE).orElseThrow()) {
            session.resume(Optional.empty());
            WindowPage before = session.read(PLENTY).orElseThrow();
            WindowPage bad = session.read(PLENTY).orElseThrow();
            StoredEvent event = bad.events().get(0);
            assertThat(event.unreadable()).isPresent();
            session.committed(before.end());
            session.giveUp(List.of(event), List.of(new Settlement.Dead(event.unreadable().get(), false, false)));
            session.resume(Optional.of(before.end()));

            assertThat(session.read(PLENTY).orElseThrow().events())
                    .singleElement()
                    .satisfies(next -> assertThat(next.type()).hasToString("a2"));
        }
    }

    private void appendBad(String column) throws SQLException {
        database.execute(bad(column));
    }

    private static String bad(String column) {
        boolean bytes = column.equals("content_type");
        List<String> values = COLUMNS.stream()
                .map(each -> each.equals(column) ? badValue(each) : goodValue(each, bytes))
                .toList();
        return INSERT.formatted(values.toArray());
    }

    private static String badValue(String column) {
        return switch (column) {
            case "payload" -> "('\"' || " + BAD + " || '\"')::json";
            case "headers" -> "jsonb_build_object('h', " + BAD + ")";
            default -> BAD;
        };
    }

    private static String goodValue(String column, boolean bytes) {
        return switch (column) {
            case "type" -> "'good'";
            case "payload" -> bytes ? "null" : "'{}'";
            case "payload_bytes" -> bytes ? "'x'" : "null";
            case "aggregate_type", "aggregate_id" -> "'x'";
            default -> "null";
        };
    }

    private static List<String> drainOver(RelaySession session, List<String> dead) {
        return drainOver(session, dead, PLENTY);
    }

    /** Publishes what can be read; other events become dead. */
    private static List<String> drainOver(RelaySession session, List<String> dead, Limits limits) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(limits); batch.isPresent(); batch = session.claim(limits)) {
            List<Settlement> settlements = new ArrayList<>();
            for (StoredEvent event : batch.get().events()) {
                if (event.unreadable().isPresent()) {
                    dead.add(event.unreadable().get());
                    settlements.add(new Settlement.Dead(event.unreadable().get(), false, false));
                } else {
                    published.add(event.type().toString());
                    settlements.add(Settlement.PUBLISHED);
                }
            }
            session.settle(batch.get(), settlements);
        }
        return published;
    }
}
