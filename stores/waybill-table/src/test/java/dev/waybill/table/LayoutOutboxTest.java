package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Appends to tables of every layout on every database. */
class LayoutOutboxTest {
    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of("polyshop", "orders", "pubsub", "notifications", "waybill")
                        .map(preset -> Arguments.of(dialect, TableLayout.preset(preset))));
    }

    /** An event that fits into every preset. */
    private static Event event(String json) {
        return Event.of("order.placed").aggregate("Order", "7").payload(Payload.json(json));
    }

    private static Event fitting(TableLayout layout, String json) {
        return layout.aggregateIdKind() == TableLayout.IdKind.UUID
                ? Event.of("order.placed")
                        .aggregate("Order", "0b9c7d3e-0000-4000-8000-000000000007")
                        .payload(Payload.json(json))
                : event(json);
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void an_event_becomes_a_pending_row(TableDialect dialect, TableLayout layout) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        Event event = fitting(layout, "{\"total\":12}");
        append(database, layout, event);

        Map<String, Object> row = onlyRow(database, layout);
        assertThat(text(row, layout, TableColumn.ID)).isEqualTo(event.id());
        assertThat(text(row, layout, TableColumn.TYPE)).isEqualTo("order.placed");
        assertThat(text(row, layout, TableColumn.AGGREGATE_ID)).isEqualTo(event.aggregateId());
        assertThat(row.get(layout.column(TableColumn.CREATED_AT).orElseThrow())).isNotNull();
        for (TableColumn empty : List.of(
                TableColumn.PUBLISHED_AT,
                TableColumn.ERROR,
                TableColumn.ERROR_AT,
                TableColumn.LOCKED_BY,
                TableColumn.LOCKED_UNTIL,
                TableColumn.NEXT_ATTEMPT_AT)) {
            layout.column(empty).ifPresent(name -> assertThat(row.get(name)).isNull());
        }
        assertThat(pending(database, layout)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void events_of_one_append_and_of_the_next_have_increasing_times(TableDialect dialect, TableLayout layout)
            throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        List<String> ids = new ArrayList<>();
        try (Connection connection = database.begin()) {
            for (int call = 0; call < 4; call++) {
                Event[] events = IntStream.range(0, call == 1 && layout.has(TableColumn.SEQUENCE) ? 1_300 : 40)
                        .mapToObj(i -> fitting(layout, "{}"))
                        .toArray(Event[]::new);
                JdbcOutbox.table(layout).append(connection, events);
                Stream.of(events).map(Event::id).forEach(ids::add);
            }
            connection.commit();
        }

        LayoutNames names = new LayoutNames(layout, dialect);
        List<Map<String, Object>> rows =
                database.rows(names.in("select {id} as the_id, {created_at} as at from {table} order by {created_at}"));
        assertThat(rows).extracting(row -> row.get("the_id").toString()).containsExactlyElementsOf(ids);
        assertThat(rows).extracting(row -> row.get("at").toString()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void a_transaction_that_began_first_and_appends_last_gets_the_latest_time(TableDialect dialect, TableLayout layout)
            throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        Event late = fitting(layout, "{}");
        Event early = fitting(layout, "{}");
        try (Connection first = database.begin();
                Connection second = database.begin()) {
            first.createStatement()
                    .executeQuery(new LayoutNames(layout, dialect).in("select * from {table}"))
                    .close();
            JdbcOutbox.table(layout).append(second, early);
            second.commit();
            JdbcOutbox.table(layout).append(first, late);
            first.commit();
        }

        assertThat(database.rows(new LayoutNames(layout, dialect)
                        .in("select {id} as the_id from {table} order by {created_at}")))
                .extracting(row -> row.get("the_id").toString())
                .containsExactly(early.id(), late.id());
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void an_existing_id_is_refused_and_the_transaction_continues(TableDialect dialect, TableLayout layout)
            throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        Event first = fitting(layout, "{\"n\":1}");
        append(database, layout, first);
        try (Connection connection = database.begin()) {
            JdbcOutbox outbox = JdbcOutbox.table(layout);
            assertThatExceptionOfType(DuplicateEventException.class)
                    .isThrownBy(() -> outbox.append(connection, first))
                    .withMessageContaining(first.id());
            Event twice = fitting(layout, "{}");
            assertThatExceptionOfType(DuplicateEventException.class)
                    .isThrownBy(() -> outbox.append(connection, twice, twice));
            assertThat(outbox.appendIfAbsent(connection, first)).isZero();
            Event other = fitting(layout, "{}");
            assertThat(outbox.appendIfAbsent(connection, other, first, other, fitting(layout, "{}")))
                    .isEqualTo(2);
            connection.commit();
        }
        assertThat(pending(database, layout)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_append_of_several_is_all_or_nothing(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        Event first = event("{}");
        append(database, layout, first);
        try (Connection connection = database.begin()) {
            assertThatExceptionOfType(DuplicateEventException.class)
                    .isThrownBy(() -> JdbcOutbox.table(layout).append(connection, event("{}"), first, event("{}")));
            connection.commit();
        }
        assertThat(pending(database, layout)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_conflict_on_another_unique_column_does_not_skip_an_event(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        database.execute("create unique index one_type on waybill_event (type)");
        append(database, layout, event("{}"));
        try (Connection connection = database.begin()) {
            assertThatExceptionOfType(AppendException.class)
                    .isThrownBy(() -> JdbcOutbox.table(layout).appendIfAbsent(connection, event("{}")));
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void ids_that_differ_in_case_are_different(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        append(
                database,
                layout,
                Event.of("x").aggregate("A", "1").payload(Payload.json("1")).id("evt-a"),
                Event.of("x").aggregate("A", "1").payload(Payload.json("2")).id("evt-A"));
        assertThat(pending(database, layout)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void the_layout_of_waybill_stores_every_field(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        append(
                database,
                layout,
                Event.of("t")
                        .aggregate("A", "é🚚")
                        .payload(Payload.binary(new byte[] {0, -1}, "application/x-thing"))
                        .version(3)
                        .aggregateVersion(9_007_199_254_740_993L)
                        .topic("orders")
                        .key("k")
                        .header("a", "\"b\""));

        Map<String, Object> row = database.rows(
                        "select version, aggregate_id, aggregate_version, topic, event_key, payload,"
                                + " content_type, headers, octet_length(payload_bytes) as size from waybill_event")
                .get(0);
        assertThat(row)
                .containsEntry("version", 3)
                .containsEntry("aggregate_id", "é🚚")
                .containsEntry("aggregate_version", 9_007_199_254_740_993L)
                .containsEntry("topic", "orders")
                .containsEntry("event_key", "k")
                .containsEntry("payload", null)
                .containsEntry("content_type", "application/x-thing");
        Object headers = row.get("headers");
        assertThat(
                        headers instanceof byte[] bytes
                                ? new String(bytes, java.nio.charset.StandardCharsets.UTF_8)
                                : headers.toString())
                .isEqualTo("{\"a\":\"\\\"b\\\"\"}");
        assertThat(((Number) row.get("size")).intValue()).isEqualTo(2);
    }

    @Test
    void a_field_that_the_table_cannot_store_is_refused_with_the_remedy() {
        refuses(TableLayout.orders(), base().header("a", "b"), "headers", "name it in the layout");
        refuses(TableLayout.orders(), base().topic("t"), "topic", "the relay's route");
        refuses(TableLayout.orders(), base().key("k"), "key", "the aggregate is the unit of order");
        refuses(TableLayout.orders(), base().version(2), "version");
        refuses(TableLayout.polyshop(), base().aggregateVersion(2), "aggregate version");
        refuses(TableLayout.orders(), base("Order", "17"), "no UUID", "aggregate_id");
        refuses(TableLayout.orders(), base().id("evt-1"), "no UUID", "leave the id out");
        refuses(TableLayout.notifications(), base("CUSTOMER", "c-5"), "whole number");
        refuses(TableLayout.notifications(), base("CUSTOMER", "007"), "whole number");
        refuses(TableLayout.notifications(), base("CUSTOMER", "9223372036854775808"), "whole number");
        refuses(TableLayout.notifications(), base("CUSTOMER", "5").id("x".repeat(256)), "256 characters", "takes 255");
        refuses(
                TableLayout.pubsub(),
                Event.of("t").aggregate("Order", "1").payload(Payload.binary(new byte[] {1}, "application/x")),
                "binary",
                "send JSON");
        refuses(
                TableLayout.polyshop().change().aggregateType("Cart").build(),
                base(),
                "every row of that table is of Cart");
    }

    private static Event base() {
        return base("Order", UUID.randomUUID().toString());
    }

    private static Event base(String aggregateType, String aggregateId) {
        return Event.of("t").aggregate(aggregateType, aggregateId).payload(Payload.json("{}"));
    }

    private static void refuses(TableLayout layout, Event event, String... words) {
        assertThatThrownBy(() -> JdbcOutbox.table(layout)
                        .append(new LayoutDatabase(TableDialect.H2, EmptyDatabase.h2("")).begin(), event))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining(layout.tableName())
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_append_outside_a_transaction_is_refused(TableDialect dialect) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect, TableLayout.waybill());
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> JdbcOutbox.table(TableLayout.waybill()).append(connection, event("{}")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("autocommit");
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void no_error_contains_a_value_of_an_event(TableDialect dialect) throws SQLException {
        TableLayout real = TableLayout.of("tight")
                .column(TableColumn.ID, "id")
                .column(TableColumn.TYPE, "type", 5)
                .column(TableColumn.AGGREGATE_ID, "secret", 5)
                .column(TableColumn.PAYLOAD, "payload")
                .payloadKind(TableLayout.PayloadKind.TEXT)
                .column(TableColumn.CREATED_AT, "created_at")
                .column(TableColumn.STATE, "done")
                .build();
        LayoutDatabase database = LayoutDatabase.create(dialect, real);
        TableLayout wrong = real.change()
                .column(TableColumn.TYPE, "type", 100)
                .column(TableColumn.AGGREGATE_ID, "secret", 100)
                .build();
        try (Connection connection = database.begin()) {
            assertThatExceptionOfType(AppendException.class)
                    .isThrownBy(() -> JdbcOutbox.table(wrong)
                            .append(
                                    connection,
                                    Event.of("t")
                                            .aggregate("A", "anna@example.org")
                                            .payload(Payload.json("\"mother's maiden name\""))))
                    .satisfies(e -> assertThat(e + " " + e.getCause()).doesNotContain("anna", "maiden"));
        }
    }

    @Test
    void locking_keys_elsewhere_than_on_postgresql_is_refused() throws SQLException {
        LayoutDatabase database = new LayoutDatabase(TableDialect.H2, EmptyDatabase.h2(""));
        database.create(TableLayout.waybill());
        JdbcOutbox locking =
                JdbcOutbox.table(TableLayout.waybill(), OutboxOptions.defaults().lockKeys(true));
        try (Connection connection = database.begin()) {
            assertThatThrownBy(() -> locking.append(connection, event("{}"))).hasMessageContaining("PostgreSQL only");
        }
        LayoutDatabase postgres = LayoutDatabase.create(TableDialect.POSTGRESQL, TableLayout.waybill());
        try (Connection connection = postgres.begin()) {
            locking.append(connection, event("{}"));
            connection.commit();
        }
        assertThat(pending(postgres, TableLayout.waybill())).isEqualTo(1);
    }

    private static void append(LayoutDatabase database, TableLayout layout, Event... events) throws SQLException {
        try (Connection connection = database.begin()) {
            JdbcOutbox.table(layout).append(connection, events);
            connection.commit();
        }
    }

    private static long pending(LayoutDatabase database, TableLayout layout) throws SQLException {
        return database.rows(new LayoutNames(layout, database.dialect()).in("select * from {table} where {is_pending}"))
                .size();
    }

    private static Map<String, Object> onlyRow(LayoutDatabase database, TableLayout layout) throws SQLException {
        List<Map<String, Object>> rows =
                database.rows(new LayoutNames(layout, database.dialect()).in("select * from {table}"));
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static String text(Map<String, Object> row, TableLayout layout, TableColumn column) {
        return row.get(layout.column(column).orElseThrow()).toString();
    }
}
