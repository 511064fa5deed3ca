package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An outbox table and its guard that an application created without naming a collation: the database may treat ids as equal
 * that differ in case, accents or trailing spaces. The relay works, and such ids stay different events.
 */
class PlainTablesTest {
    private static final Actor BO = new Actor("bo", "mended");
    private static final String OUTBOX = """
            create table {table} (
                event_id varchar(255) primary key,
                event_type varchar(100) not null,
                aggregate_type varchar(100) not null,
                aggregate_id bigint not null,
                status varchar(20) not null,
                payload {json} not null,
                created_at timestamp not null,
                published_at timestamp null)""";

    private static final String GUARD = """
            create table {guard} (
                event_id varchar(255) primary key,
                status varchar(20) not null,
                created_at timestamp not null,
                updated_at timestamp not null)""";

    private static final String OUTBOX_WITH_KEYS = """
            create table outbox_events (
                id {uuid} primary key,
                aggregate_id varchar(255) not null,
                event_type varchar(100) not null,
                version int not null,
                payload {json} not null,
                created_at {instant} default current_timestamp not null,
                processed boolean default false not null,
                processed_at {instant} null,
                error_message {text} null)""";

    private static final List<String> KNOWN = List.of("evt-ab3x", "evt-cd4y ", "café");
    private static final List<String> KEYS = List.of("order-a", "order-A", "order-á", "order-a ");
    private static final List<String> ALIKE = List.of("EVT-AB3X", "evt-cd4y", "cafe");

    private TableFixture fixture;

    /** A database by its default for texts. */
    record Place(TableDialect dialect, String texts) {
        LayoutDatabase create() throws SQLException {
            if (dialect == TableDialect.H2) {
                return new LayoutDatabase(dialect, EmptyDatabase.h2(texts));
            }
            LayoutDatabase database = LayoutDatabase.create(dialect);
            if (dialect == TableDialect.MARIADB && !texts.isEmpty()) {
                try (Connection connection = database.connect()) {
                    database.execute("alter database " + connection.getCatalog() + " character set "
                            + texts.split("_", 2)[0] + " collate " + texts);
                }
            }
            if (dialect == TableDialect.POSTGRESQL) {
                database.execute("create collation loose (provider = icu, locale = '" + texts
                        + "', deterministic = false)");
            }
            return database;
        }

        String in(String ddl) {
            String json = dialect == TableDialect.POSTGRESQL ? "jsonb" : "json";
            String instant = dialect == TableDialect.MARIADB ? "timestamp(6)" : "timestamp with time zone";
            String text = dialect == TableDialect.H2 ? "varchar" : "text";
            String sql = ddl.replace("{json}", json)
                    .replace("{instant}", instant)
                    .replace("{text}", text)
                    .replace("{uuid}", dialect == TableDialect.POSTGRESQL ? "uuid" : "varchar(36)").replace("{guard}", guard()).replace("{table}", dialect.quote("EventOutbox"));
            return dialect == TableDialect.POSTGRESQL
                    ? sql.replaceAll("((event|aggregate)_id varchar.\\d+.)", "$1 collate loose")
                    : sql;
        }

        String guard() {
            return dialect.quote(ProcessedEvents.TABLE);
        }
    }

    static Stream<Place> places() {
        return Stream.concat(
                Stream.of(
                                "",
                                "latin1_swedish_ci",
                                "latin1_bin",
                                "utf8mb4_general_ci",
                                "utf8mb4_unicode_ci",
                                "utf8mb4_unicode_nopad_ci",
                                "utf8mb3_general_ci",
                                "utf8mb4_bin")
                        .map(collation -> new Place(TableDialect.MARIADB, collation)),
                Stream.of(
                        new Place(TableDialect.POSTGRESQL, "und-u-ks-level1"),
                        new Place(TableDialect.H2, ""),
                        new Place(TableDialect.H2, ";IGNORECASE=TRUE")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void create(Place place) throws SQLException {
        TableLayout layout = TableLayout.notifications();
        LayoutDatabase database = place.create();
        database.execute(place.in(OUTBOX));
        database.execute(place.in(GUARD));
        fixture = new TableFixture(database, layout).with(options -> options.guard(ProcessedEvents.TABLE));
        try (Connection connection = database.connect()) {
            ProcessedEvents.create(connection, layout, ProcessedEvents.TABLE);
        }
    }

    private void insert(String id) throws SQLException {
        fixture.execute("insert into {table} values ('" + id
                + "', 't', 'CUSTOMER', 1, 'PENDING', '{}', '2026-01-01 00:00:00', null)");
    }

    private void record(Place place, String id, String status) throws SQLException {
        fixture.database.execute("insert into " + place.guard() + " values ('" + id + "', '" + status
                + "', current_timestamp, current_timestamp)");
    }

    private Map<String, String> recorded(Place place) throws SQLException {
        return fixture.database.rows("select event_id, status from " + place.guard()).stream()
                .collect(Collectors.toMap(
                        row -> (String) row.get("event_id"), row -> (String) row.get("status")));
    }

    private Finding guard() {
        return fixture.store().admin().examine().stream()
                .filter(finding -> finding.subject().equals("guard"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("places")
    void a_relay_with_a_guard_works_on_tables_of_plain_ddl(Place place) throws SQLException {
        create(place);
        String id = fixture.append("7");

        assertThat(guard().severity()).as(guard().what()).isNotEqualTo(Finding.Severity.PROBLEM);
        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id);
        assertThat(recorded(place)).isEqualTo(Map.of(id, "SUCCESS"));
        assertThat(fixture.row(id)).containsEntry("status", "PROCESSED");
    }

    @ParameterizedTest
    @MethodSource("places")
    void an_event_is_not_taken_for_one_whose_id_is_equal_under_the_collation_only(Place place) throws SQLException {
        for (TableOptions.Claiming claiming : TableOptions.Claiming.values()) {
            for (String status : List.of("SUCCESS", "FAILED")) {
                create(place);
                fixture.with(options -> options.claiming(claiming));
                for (String id : KNOWN) {
                    record(place, id, status);
                }
                for (String id : ALIKE) {
                    insert(id);
                }

                assertThat(TableFixture.drain(fixture.open("one"))).containsExactlyInAnyOrderElementsOf(ALIKE);
                for (String id : ALIKE) {
                    assertThat(fixture.row(id)).containsEntry("status", "PROCESSED");
                }
                assertThat(recorded(place)).containsAllEntriesOf(recordedAs(status));
                fixture.close();
            }
        }
    }

    private static Map<String, String> recordedAs(String status) {
        return KNOWN.stream().collect(Collectors.toMap(id -> id, id -> status));
    }

    @ParameterizedTest
    @MethodSource("places")
    void keys_that_are_equal_under_the_collation_only_do_not_wait_for_each_other(Place place) throws SQLException {
        LayoutDatabase database = place.create();
        database.execute(place.in(OUTBOX_WITH_KEYS));
        fixture = new TableFixture(database, TableLayout.polyshop());
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        for (String key : KEYS) {
            first.add(fixture.append(key));
        }
        Settlement dead = new Settlement.Dead("refused", true, true);
        RelaySession session = fixture.open("one");
        Map<String, Settlement> failing =
                Map.of(first.get(0), fixture.retryIn(Duration.ofHours(1)), first.get(1), dead);
        assertThat(TableFixture.drain(session, failing)).containsExactly(first.get(2), first.get(3));
        for (String key : KEYS) {
            second.add(fixture.append(key));
        }
        assertThat(TableFixture.drain(session)).containsExactly(second.get(2), second.get(3));

        StoreAdmin admin = fixture.store().admin();
        for (int i = 0; i < KEYS.size(); i++) {
            String key = KEYS.get(i);
            EventFilter ofKey = EventFilter.ALL.aggregateId(key);
            assertThat(admin.events(EventQuery.of(ofKey)).events())
                    .as(key)
                    .extracting(EventSummary::id)
                    .containsExactlyInAnyOrder(first.get(i), second.get(i));
        }
        EventFilter ofDead = EventFilter.ALL.aggregateId(KEYS.get(1));
        assertThat(admin.requeue(TableFixture.RELAY, new Selection.Matching(ParkedState.DEAD, ofDead, Optional.empty()), BO))
                .isEqualTo(1);
        assertThat(TableFixture.drain(session)).containsExactly(first.get(1), second.get(1));
    }
}
