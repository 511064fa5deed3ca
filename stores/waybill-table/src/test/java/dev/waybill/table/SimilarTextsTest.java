package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that some collations treat as equal are different: case, accents, trailing spaces, composed characters. */
class SimilarTextsTest {
    private static final Actor ANNA = new Actor("anna", "the broker is mended");
    private static final List<String> ALIKE =
            List.of("evt-aB3x", "evt-Ab3X", "evt-aB3x ", "café", "cafe", "cafe\u0301", "straße", "strasse");

    /** Databases with default settings, and an H2 that ignores case. */
    static Stream<LayoutDatabase> databases() {
        return Stream.concat(
                Stream.of(TableDialect.values()).map(LayoutDatabase::create),
                Stream.of(new LayoutDatabase(TableDialect.H2, EmptyDatabase.h2(";IGNORECASE=TRUE"))));
    }

    static Stream<Arguments> inboxes() {
        return Stream.of(InboxLayout.waybill(), InboxLayout.consumerGroups())
                .flatMap(layout -> databases().map(database -> Arguments.of(database, layout)));
    }

    @ParameterizedTest
    @MethodSource("inboxes")
    void an_inbox_distinguishes_events(LayoutDatabase database, InboxLayout layout) throws SQLException {
        JdbcInbox inbox = create(database, layout);
        for (String id : ALIKE) {
            assertThat(handle(database, inbox, "billing", Incoming.event(id)))
                    .as(id)
                    .isEqualTo(Outcome.HANDLED);
        }
        for (String id : ALIKE) {
            assertThat(handle(database, inbox, "billing", Incoming.event(id)))
                    .as(id)
                    .isEqualTo(Outcome.DUPLICATE);
        }
    }

    static Stream<Arguments> tables() {
        return TablesContractTest.presets();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("tables")
    void another_spelling_of_an_id_means_the_same_event_in_every_command(TableDialect dialect, String preset)
            throws SQLException {
        TableLayout layout = TableLayout.preset(preset);
        try (TableFixture fixture = new TableFixture(dialect, layout)) {
            String id = fixture.append("a");
            Settlement dead = new Settlement.Dead("refused", true, false);
            RelaySession session = fixture.open("one");
            TableFixture.drain(session, Map.of(id, dead));
            StoreAdmin admin = fixture.store().admin();
            Selection capitals = Selection.of(id.toUpperCase(Locale.ROOT));
            // For text ids, each spelling is a different id.
            int found = layout.idKind() == TableLayout.IdKind.TEXT ? 0 : 1;

            assertThat(admin.show(id.toUpperCase(Locale.ROOT)).stream()).hasSize(found);
            assertThat(admin.payload(id.toUpperCase(Locale.ROOT), ANNA).stream())
                    .hasSize(found);
            assertThat(admin.previewRequeue(TableFixture.RELAY, capitals).found())
                    .isEqualTo(found);
            assertThat(admin.requeue(TableFixture.RELAY, capitals, ANNA)).isEqualTo(found);
            assertThat(admin.discard(TableFixture.RELAY, capitals, ANNA)).isEqualTo(found);
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_id_that_java_would_truncate_shows_no_other_event(TableDialect dialect) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.orders())) {
            fixture.append("a");
            fixture.execute("update {table} set {id} = '00000001-0002-4003-8004-000000000005'");
            StoreAdmin admin = fixture.store().admin();
            assertThat(admin.show("00000001-0002-4003-8004-000000000005")).isPresent();
            assertThat(admin.show("900000001-2-4003-8004-5")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("inboxes")
    void an_inbox_distinguishes_consumers(LayoutDatabase database, InboxLayout layout) throws SQLException {
        JdbcInbox inbox = create(database, layout);
        for (String consumer : ALIKE) {
            assertThat(handle(database, inbox, consumer, Incoming.event("e").ofEntity("Order:1", 7)))
                    .as(consumer)
                    .isEqualTo(Outcome.HANDLED);
        }
    }

    @ParameterizedTest
    @MethodSource("inboxes")
    void an_inbox_distinguishes_versions_of_entities(LayoutDatabase database, InboxLayout layout) throws SQLException {
        JdbcInbox inbox = create(database, layout);
        for (int i = 0; i < ALIKE.size(); i++) {
            Incoming event = Incoming.event("e" + i).ofEntity(ALIKE.get(i), 7);
            assertThat(handle(database, inbox, "billing", event))
                    .as(ALIKE.get(i))
                    .isEqualTo(Outcome.HANDLED);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void an_outbox_table_distinguishes_events(LayoutDatabase database) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        database.create(layout);
        JdbcOutbox outbox = JdbcOutbox.table(layout);
        try (Connection transaction = database.begin()) {
            for (String id : ALIKE) {
                Event event = Event.of("order.placed")
                        .aggregate("Order", id)
                        .payload(Payload.json("{}"))
                        .id(id);
                assertThat(outbox.appendIfAbsent(transaction, event)).as(id).isEqualTo(1);
            }
            transaction.commit();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void the_side_tables_distinguish_rows_and_relays(LayoutDatabase database) throws SQLException {
        database.create(TableLayout.waybill());
        try (Connection connection = database.connect();
                var claim = connection.prepareStatement(
                        "insert into waybill_claim (outbox, row_id, key_hash, position, state, holds, attempts)"
                                + " values ('o', ?, '', 0, 'dead', false, 1)");
                var relay = connection.prepareStatement(
                        "insert into waybill_relay (name, outbox, epoch, lease_until, paused, changes)"
                                + " values (?, null, 0, 0, false, 0)")) {
            for (String name : ALIKE) {
                claim.setString(1, name);
                assertThat(claim.executeUpdate()).isEqualTo(1);
                relay.setString(1, name);
                assertThat(relay.executeUpdate()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void the_guard_distinguishes_events(LayoutDatabase database) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        database.create(layout);
        try (Connection connection = database.connect()) {
            ProcessedEvents.create(connection, layout, "processed_events");
            try (var insert = connection.prepareStatement("insert into processed_events (event_id, status, created_at,"
                    + " updated_at) values (?, 'SUCCESS', current_timestamp, current_timestamp)")) {
                for (String id : ALIKE) {
                    insert.setString(1, id);
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                }
            }
        }
    }

    private static JdbcInbox create(LayoutDatabase database, InboxLayout layout) throws SQLException {
        try (Connection connection = database.connect()) {
            JdbcInbox inbox = JdbcInbox.of(layout);
            inbox.create(connection);
            return inbox;
        }
    }

    private static Outcome handle(LayoutDatabase database, JdbcInbox inbox, String consumer, Incoming event) {
        return JdbcTransactions.on(database.dataSource())
                .call(open -> inbox.handleOnce(open, consumer, event, nothing -> {}));
    }
}
