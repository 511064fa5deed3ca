package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.EventIds;
import dev.waybill.Inbox.Outcome;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.jdbc.layout.TableDialect;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The columns {@code event_type} and {@code source} of an inbox's table. */
class DescribedEventsTest {
    private static final String CONSUMER = "inventory-service";
    private static final String PLACED = "order.order.placed.v1";
    private static final String SELECT = "select event_id, event_type, source from processed_events";

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_handled_alone_is_stored_with_its_type_and_source(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        String full = EventIds.next();
        String bare = EventIds.next();

        assertThat(handle(inbox, placed(full))).isEqualTo(Outcome.HANDLED);
        assertThat(handle(inbox, placed(full))).isEqualTo(Outcome.DUPLICATE);
        assertThat(handle(inbox, Incoming.event(bare))).isEqualTo(Outcome.HANDLED);

        assertThat(described(inbox))
                .containsOnly(Map.entry(full, "order.order.placed.v1 of order-service"), none(bare));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void events_handled_together_are_stored_with_their_types_and_sources(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        String full = EventIds.next();
        String bare = EventIds.next();
        String versioned = EventIds.next();

        List<Outcome> outcomes = handleAll(inbox, placed(full), Incoming.event(bare), placed(full));
        handleAll(inbox, placed(versioned).ofEntity("Order:o-7", 3));

        assertThat(outcomes).containsExactly(Outcome.HANDLED, Outcome.HANDLED, Outcome.DUPLICATE);
        assertThat(described(inbox))
                .containsOnly(
                        Map.entry(full, "order.order.placed.v1 of order-service"),
                        none(bare),
                        Map.entry(versioned, "order.order.placed.v1 of order-service"));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_table_without_these_columns_works_and_is_not_altered(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        inbox.database.execute("alter table processed_events drop column event_type");
        inbox.database.execute("alter table processed_events drop column source");
        inbox.createAgain();

        assertThat(handle(inbox, placed(EventIds.next()))).isEqualTo(Outcome.HANDLED);
        assertThat(handleAll(inbox, placed(EventIds.next()))).containsExactly(Outcome.HANDLED);
        assertThat(inbox.database.rows("select * from processed_events"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).hasSize(2));
    }

    /** The values decide nothing, so none of them may stop an event. */
    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_value_that_a_column_cannot_store_is_shortened_or_changed(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        inbox.database.execute("alter table processed_events drop column event_type");
        inbox.database.execute("alter table processed_events drop column source");
        inbox.database.execute("alter table processed_events add column source varchar(10)");
        List<String> sources = List.of("much longer than ten", "\0\uD83C", "🍰🍰🍰🍰🍰🍰🍰🍰🍰🍰🍰", " ");
        for (String source : sources) {
            Incoming event = Incoming.event(EventIds.next()).ofType(PLACED).fromSource(source);
            assertThat(handle(inbox, event)).as(source).isEqualTo(Outcome.HANDLED);
            Incoming other = Incoming.event(EventIds.next()).fromSource(source);
            assertThat(handleAll(inbox, other)).as(source).containsExactly(Outcome.HANDLED);
        }

        assertThat(inbox.database.rows("select source from processed_events where source like 'much%'"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.values()).containsExactly("much long…"));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void where_a_value_is_unknown_a_column_that_must_have_one_gets_its_default(TableDialect dialect)
            throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        inbox.database.execute("alter table processed_events drop column source");
        inbox.database.execute("alter table processed_events add column source varchar(50) default 'unknown' not null");

        assertThat(handle(inbox, Incoming.event(EventIds.next()))).isEqualTo(Outcome.HANDLED);
        assertThat(handle(inbox, placed(EventIds.next()))).isEqualTo(Outcome.HANDLED);
        assertThat(handleAll(inbox, Incoming.event(EventIds.next()))).containsExactly(Outcome.HANDLED);

        assertThat(inbox.database.rows("select source from processed_events order by source"))
                .extracting(row -> row.values().toString())
                .containsExactly("[order-service]", "[unknown]", "[unknown]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"longtext", "tinytext", "json"})
    void on_mariadb_no_kind_of_text_column_stops_an_event(String type) throws SQLException {
        InboxDatabase inbox = processedEvents(TableDialect.MARIADB);
        inbox.database.execute("alter table processed_events drop column source");
        inbox.database.execute("alter table processed_events add column source " + type);

        assertHandledAtLast(inbox, Incoming.event(EventIds.next()).fromSource("é".repeat(300)));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_constraint_on_a_column_stops_an_event_once_at_most(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        inbox.database.execute("alter table processed_events add constraint known check (source = 'billing')");

        assertHandledAtLast(inbox, placed(EventIds.next()));
    }

    /** As by a consumer, which handles an event again after a failure. */
    private static void assertHandledAtLast(InboxDatabase inbox, Incoming event) {
        try {
            handle(inbox, event);
        } catch (InboxException e) {
            assertThat(handle(inbox, event)).isEqualTo(Outcome.HANDLED);
        }
        assertThat(handle(inbox, event)).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void a_shortened_value_fits_a_column_of_ascii_characters() throws SQLException {
        InboxDatabase inbox = processedEvents(TableDialect.MARIADB);
        inbox.database.execute("alter table processed_events drop column source");
        inbox.database.execute("alter table processed_events add column source varchar(10) character set ascii");

        Incoming event = Incoming.event(EventIds.next()).fromSource("much längêr than ten");
        assertThat(handle(inbox, event)).isEqualTo(Outcome.HANDLED);

        assertThat(inbox.database.rows("select source from processed_events"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("much l?ng?"));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void after_a_column_was_dropped_events_are_stored_without_it(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = processedEvents(dialect);
        handle(inbox, placed(EventIds.next()));
        inbox.database.execute("alter table processed_events drop column source");
        String event = EventIds.next();

        assertThatExceptionOfType(InboxException.class).isThrownBy(() -> handle(inbox, placed(event)));
        assertThat(handle(inbox, placed(event))).isEqualTo(Outcome.HANDLED);
    }

    @Test
    void the_other_layouts_fill_columns_that_somebody_added() throws SQLException {
        for (InboxLayout layout : List.of(InboxLayout.waybill(), InboxLayout.consumerGroups())) {
            InboxDatabase inbox = InboxDatabase.create(TableDialect.POSTGRESQL, layout);
            inbox.database.execute("alter table " + layout.tableName() + " add column source text");

            handle(inbox, placed("a").ofEntity("Order:o-7", 3));
            handleAll(inbox, placed("b"));

            assertThat(inbox.database.rows("select source from " + layout.tableName()))
                    .hasSize(2)
                    .allSatisfy(row -> assertThat(row.values()).containsExactly("order-service"));
        }
    }

    @Test
    void a_column_that_is_no_text_is_left_alone() throws SQLException {
        InboxDatabase inbox = processedEvents(TableDialect.POSTGRESQL);
        inbox.database.execute("alter table processed_events drop column source");
        inbox.database.execute("alter table processed_events add column source integer");

        assertThat(handle(inbox, placed(EventIds.next()))).isEqualTo(Outcome.HANDLED);
    }

    private static InboxDatabase processedEvents(TableDialect dialect) throws SQLException {
        return InboxDatabase.create(dialect, InboxLayout.processedEvents(CONSUMER));
    }

    private static Incoming placed(String id) {
        return Incoming.event(id).ofType(PLACED).fromSource("order-service");
    }

    private static Outcome handle(InboxDatabase inbox, Incoming event) {
        return JdbcTransactions.on(inbox.database.dataSource())
                .call(open -> inbox.inbox.handleOnce(open, CONSUMER, event, in -> {}));
    }

    private static List<Outcome> handleAll(InboxDatabase inbox, Incoming... events) {
        return JdbcTransactions.on(inbox.database.dataSource())
                .call(open ->
                        inbox.inbox.handleAll(open, CONSUMER, List.of(events), event -> event, (in, event) -> {}));
    }

    private static Map.Entry<String, String> none(String id) {
        return Map.entry(id, "null of null");
    }

    /** Type and source by event id. */
    private static Map<String, String> described(InboxDatabase inbox) throws SQLException {
        Map<String, String> described = new TreeMap<>();
        for (Map<String, Object> row : inbox.database.rows(SELECT)) {
            described.put(String.valueOf(row.get("event_id")), row.get("event_type") + " of " + row.get("source"));
        }
        return Collections.unmodifiableMap(described);
    }
}
