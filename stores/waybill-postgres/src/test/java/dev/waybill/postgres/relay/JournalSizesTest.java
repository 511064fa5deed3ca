package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.jdbc.kernel.JournalLimits;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoredEvent;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.ExplainedStatements.Explained;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal refuses events that are larger than a relay can hold, and does not read existing ones. */
class JournalSizesTest extends JournalFixture {
    private static final String INSERT =
            "insert into waybill.event (type, aggregate_type, aggregate_id, %s) values ('t', 'Thing', 'a', %s)";
    private static final String DROP_TRIGGER = "drop trigger if exists event_is_storable on waybill.event";

    private final ExplainedStatements statements = new ExplainedStatements(database.dataSource());
    private final JournalDatabase asCreated = JournalDatabase.create();

    static void dropLimits(JournalDatabase database) throws SQLException {
        database.execute(DROP_TRIGGER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "payload | to_json(repeat('x', 16777215)) | event_payload_is_at_most_16_mib",
                "payload_bytes, content_type | decode(repeat('00', 16777217), 'hex'), 'a' | event_payload_is_at_most_16_mib",
                "payload, headers | '{}', jsonb_build_object('h', repeat('x', 131072)) | event_headers_are_at_most_128_kib",
                "payload, headers | '{}', jsonb_build_object('h', 1e130000) | event_headers_are_strings",
                "payload, headers | '{}', jsonb_build_object('a', 'x', 'h', true) | event_headers_are_strings",
                "payload, headers | '{}', jsonb_build_object('h', jsonb_build_array('x')) | event_headers_are_strings",
                "payload, headers | '{}', jsonb_build_object('h', jsonb_build_object()) | event_headers_are_strings",
                "payload_bytes, content_type | '', repeat('x', 256) | event_content_type_is_short"
            })
    void plain_sql_cannot_insert_values_that_are_too_large(String columns, String values, String constraint) {
        assertThatThrownBy(() -> database.execute(INSERT.formatted(columns, values)))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"))
                .hasMessageContaining(constraint);
    }

    /** A line break could forge a line in a log, and a terminal executes escape sequences. */
    @ParameterizedTest
    @ValueSource(strings = {"10", "27", "13", "127", "133"})
    void plain_sql_cannot_insert_names_with_control_characters(int character) {
        for (String values : new String[] {
            "'t' || chr(%d), 'Thing', null", "'t', chr(%d) || 'Thing', null", "'t', 'Thing', 'to' || chr(%d) || 'pic'"
        }) {
            assertThatThrownBy(() ->
                            database.execute(("insert into waybill.event (type, aggregate_type, topic, aggregate_id,"
                                            + " payload) values (" + values + ", 'a', '{}')")
                                    .formatted(character)))
                    .hasMessageContaining("event_names_have_no_control_characters");
        }
    }

    /** All names are looked at together first: what one of them contains must not hide the others. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "repeat('a', 254) || chr(1), 'Thing', 'a', null, null",
                "'t', 'Thing', repeat('i', 248) || chr(1), E'a\\nb', null",
                "'t', 'Thing', repeat('i', 248) || chr(1), repeat('t', 256), null",
                "'t', 'Thing', repeat('i', 248) || chr(1), null, repeat('k', 1001)",
                "'t', 'Thing', 'i', 'to' || chr(10) || 'pic', 'k'"
            })
    void plain_sql_cannot_hide_a_bad_name_behind_another(String values) {
        assertThatThrownBy(() -> database.execute(
                        "insert into waybill.event (type, aggregate_type, aggregate_id, topic, key, payload) values ("
                                + values + ", '{}')"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    }

    @Test
    void plain_sql_may_leave_a_header_null() throws SQLException {
        database.execute(INSERT.formatted("payload, headers", "'{}', jsonb_build_object('h', null, 'i', 'x')"));

        assertThat(drain(open())).containsExactly("t");
    }

    /** PostgreSQL parses all of them anew for each insert. */
    @Test
    void the_limits_are_not_check_constraints() throws SQLException {
        assertThat(database.texts("select conname from pg_constraint where conrelid = 'waybill.event'::regclass"
                        + " and contype = 'c'"))
                .isEmpty();
    }

    @Test
    void the_limits_hold_for_sessions_that_skip_ordinary_triggers() {
        assertThatThrownBy(() -> database.execute("set session_replication_role = replica;"
                        + INSERT.formatted("payload_bytes, content_type", "'', repeat('x', 256)")))
                .hasMessageContaining("event_content_type_is_short");
    }

    /** Setting a search path takes longer than all checks, so the trigger must not depend on that of the session. */
    @Test
    void the_limits_hold_whatever_the_search_path_of_a_producer_names() throws SQLException {
        database.execute("""
                create schema shadow;
                create function shadow.not_text(text, text) returns boolean language sql as 'select null::boolean';
                create function shadow.not_number(int, int) returns boolean language sql as 'select null::boolean';
                create function shadow.joined(text, text) returns text language sql as 'select null::text';
                create function shadow.length(text) returns int language sql as 'select null::int';
                create function shadow.octet_length(text) returns int language sql as 'select null::int';
                create function shadow.octet_length(bytea) returns int language sql as 'select null::int';
                create function shadow.num_nonnulls(variadic "any") returns int language internal as 'pg_num_nulls';
                create function shadow.concat(text, text, text, text) returns text language sql as 'select null::text';
                create function shadow.jsonb_typeof(jsonb) returns text language sql as 'select null::text';
                create function shadow.jsonb_path_exists(jsonb, jsonpath, jsonb, boolean) returns boolean language sql
                    as 'select null::boolean';
                create operator shadow.|| (leftarg = text, rightarg = text, function = shadow.joined);
                """);
        for (String name : List.of("=", "<>", "~", "!~")) {
            database.execute("create operator shadow." + name
                    + " (leftarg = text, rightarg = text, function = shadow.not_text)");
        }
        for (String name : List.of("=", "<>", "<=", ">")) {
            database.execute("create operator shadow." + name
                    + " (leftarg = int, rightarg = int, function = shadow.not_number)");
        }
        for (String values : List.of(
                "'', 'Thing', 'a', '{}', null",
                "repeat('t', 256), 'Thing', 'a', '{}', null",
                "'t', '', 'a', '{}', null",
                "'t', 'Thing', repeat('a', 1001), '{}', null",
                "'t' operator(pg_catalog.||) chr(10), 'Thing', 'a', '{}', null",
                "'t', 'Thing', 'a', null, null",
                "'t', 'Thing', 'a', to_json(repeat('x', 16777215)), null",
                "'t', 'Thing', 'a', '{}', '[]'",
                "'t', 'Thing', 'a', '{}', jsonb_build_object('h', repeat('x', 131072))",
                "'t', 'Thing', 'a', '{}', jsonb_build_object('h', true)")) {
            assertThatThrownBy(() -> database.execute("set search_path = shadow, pg_catalog;"
                            + " insert into waybill.event (type, aggregate_type, aggregate_id, payload, headers)"
                            + " values (" + values + ")"))
                    .as(values)
                    .hasMessageContaining("violates check constraint");
        }
    }

    /** The lock for the limits is not granted while a producer's transaction is open. */
    @Test
    void an_older_journal_gets_the_limits_without_blocking_producers() throws Exception {
        JournalDatabase older = JournalDatabase.withoutJournal();
        String script = JournalSchema.script();
        older.execute(script.substring(0, script.indexOf("-- Dead events may be many")));
        older.execute(INSERT.formatted("payload, headers", "'{}', jsonb_build_object('h', repeat('x', 200000))"));
        Connection producer = tracked(older.begin());
        append(producer, "a1");

        CompletableFuture<Integer> migration = CompletableFuture.supplyAsync(() -> {
            try (Connection connection = older.connect()) {
                return JournalSchema.create(connection);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until(
                "the migration asks for the lock",
                () -> older.number("select count(*) from pg_locks where not granted"
                                + " and relation = 'waybill.event'::regclass")
                        > 0);
        older.execute("set lock_timeout = '30s';" + INSERT.formatted("payload", "'{}'"));
        assertThat(migration).isNotDone();
        producer.commit();

        assertThat(migration.get(1, TimeUnit.MINUTES)).isPositive();
        assertThat(older.number("select count(*) from waybill.event")).isEqualTo(3);
        assertThatThrownBy(() -> older.execute(
                        INSERT.formatted("payload, headers", "'{}', jsonb_build_object('h', repeat('x', 200000))")))
                .hasMessageContaining("event_headers_are_at_most_128_kib");
    }

    @Test
    void an_append_refuses_a_value_that_is_too_large_before_the_database_does() throws SQLException {
        JdbcOutbox outbox = JdbcOutbox.journal(OutboxOptions.defaults().maxPayloadBytes(Integer.MAX_VALUE));
        Event payload = Event.of("large")
                .aggregate("Thing", "a")
                .payload(Payload.binary(new byte[JournalLimits.PAYLOAD_BYTES + 1], "a/b"));
        Event headers = Event.of("large")
                .aggregate("Thing", "a")
                .payload(Payload.json("{}"))
                .header("h", "\u0001".repeat(30_000));
        Connection transaction = begin();

        assertThatThrownBy(() -> outbox.append(transaction, payload))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("payload has 16777217 bytes", "at most 16777216");
        assertThatThrownBy(() -> outbox.append(transaction, headers))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("headers have 180")
                .hasMessageContaining("at most 131072");
    }

    @Test
    void the_largest_headers_that_an_event_may_have_can_be_stored() throws SQLException {
        Connection transaction = begin();
        Stream.of("x", "\"", "\u20ac")
                .forEach(character -> JdbcOutbox.journal()
                        .append(
                                transaction,
                                Event.of("large")
                                        .aggregate("Thing", "a")
                                        .payload(Payload.json("{}"))
                                        .header("h", character.repeat(Event.MAX_HEADERS_LENGTH - 1))));
        transaction.commit();
        assertThat(database.number("select count(*) from waybill.event")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload | to_json(repeat('x', 20000000))",
                "payload_bytes, content_type | decode(repeat('00', 20000000), 'hex'), 'a'",
                "payload, headers | '{}', jsonb_build_object('h', repeat('x', 20000000))",
                "payload_bytes, content_type | '', repeat('x', 20000000)"
            })
    void columns_too_large_for_the_destination_are_not_read(String columnsAndValues) throws SQLException {
        dropLimits(database);
        String[] parts = columnsAndValues.split(" \\| ", -1);
        database.execute(INSERT.formatted(parts[0], parts[1]));
        append("a1");
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));

        Batch batch = session.claim(new Limits(500, 4_000_000, 1_000_000)).orElseThrow();

        assertThat(batch.events()).extracting(StoredEvent::isWithheld).containsExactly(true, false);
        assertThat(batch.events().get(0).bytes()).isBetween(20_000_000L, 20_000_100L);
        assertThat(batch.events().get(0).payload()).isEmpty();
        assertThat(statements.take()).extracting(Explained::sql).doesNotContain(EventPage.WITHHELD);
    }

    @AfterEach
    void restoreLimits() throws SQLException {
        database.execute(DROP_TRIGGER);
        for (String trigger : asCreated.texts("select pg_get_triggerdef(oid) from pg_trigger"
                + " where tgrelid = 'waybill.event'::regclass and not tgisinternal")) {
            database.execute(trigger + "; alter table waybill.event enable always trigger event_is_storable");
        }
    }
}
