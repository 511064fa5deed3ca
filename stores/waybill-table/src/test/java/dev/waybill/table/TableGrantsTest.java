package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each role can do its work on an outbox table with its grants, and nothing else. */
class TableGrantsTest {
    private static final Actor ANNA = new Actor("anna", "mended");
    private static final RelayName RELAY = new RelayName("relay");
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final DatabasesOfUsers DATABASES = new DatabasesOfUsers();

    static Stream<Arguments> everywhere() {
        return DatabasesOfUsers.names()
                .flatMap(database -> Stream.of("polyshop", "orders", "pubsub", "notifications", "waybill")
                        .map(preset -> Arguments.of(database, preset)));
    }

    @AfterAll
    static void stopServers() {
        DATABASES.close();
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void every_role_does_its_work_and_nothing_else(String databaseName, String preset) throws SQLException {
        TableLayout layout = TableLayout.preset(preset);
        LayoutDatabase database = DATABASES.create(databaseName);
        database.create(layout);
        TableDialect dialect = database.dialect();
        String number = "_" + NUMBER.incrementAndGet();
        DatabaseRoles roles = DatabaseRoles.NONE
                .producer("t producer" + number)
                .relay("t-relay" + number)
                .viewer("t_viewer" + number)
                .operator("t;operator" + number);
        for (String role : List.of(
                roles.producer().orElseThrow(),
                roles.relay().orElseThrow(),
                roles.viewer().orElseThrow(),
                roles.operator().orElseThrow())) {
            database.createLogin(role);
        }
        try (Connection connection = database.connect()) {
            TableSchema.grant(connection, layout, roles);
            TableSchema.grant(connection, layout, roles);
        }
        LayoutNames names = new LayoutNames(layout, dialect);

        DataSource producer = database.as(roles.producer().orElseThrow());
        try (Connection connection = producer.getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.table(layout).append(connection, event(layout));
            connection.commit();
        }
        refused(producer, names.in("select {payload} from {table}"));
        refused(producer, names.in("delete from {table}"));
        refused(producer, names.in("select * from {claim}"));

        if (dialect == TableDialect.POSTGRESQL) {
            // Some servers do not show their processes.
            database.execute("revoke select on pg_stat_activity from public");
        }
        TableStore store = TableStore.on(database.as(roles.relay().orElseThrow()), layout, TableOptions.defaults());
        assertThat(store.admin().examine())
                .filteredOn(finding -> finding.subject().equals("grants"))
                .extracting(Finding::what)
                .containsExactly("this user may run the relay");
        String id = die(store);

        DataSource viewer = database.as(roles.viewer().orElseThrow());
        StoreAdmin looking =
                TableStore.on(viewer, layout, TableOptions.defaults()).admin();
        assertThat(looking.relays())
                .singleElement()
                .satisfies(relay -> assertThat(relay.dead()).isEqualTo(1));
        assertThat(looking.events(EventQuery.of(EventFilter.ALL)).events()).hasSize(1);
        assertThatThrownBy(() -> looking.payload(id, ANNA)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> looking.requeue(RELAY, Selection.of(id), ANNA)).isInstanceOf(StoreException.class);
        refused(viewer, names.in("select {payload} from {table}"));
        refused(viewer, names.in("select * from {table}"));
        refused(viewer, names.in("update {relay} set paused = true"));

        DataSource operator = database.as(roles.operator().orElseThrow());
        StoreAdmin mending =
                TableStore.on(operator, layout, TableOptions.defaults()).admin();
        assertThat(mending.requeue(RELAY, Selection.of(id), ANNA)).isEqualTo(1);
        assertThat(mending.pause(RELAY, ANNA)).isTrue();
        assertThat(mending.resume(RELAY, ANNA)).isTrue();
        assertThat(mending.discard(RELAY, Selection.of(id), ANNA)).isEqualTo(1);
        assertThat(looking.audit(10)).hasSize(4);
        refused(operator, names.in("delete from {audit}"));
        refused(operator, names.in("update {audit} set who = 'ceo'"));
        refused(operator, names.in("delete from {table}"));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void the_doctor_says_which_privilege_a_relay_lacks(String databaseName) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = DATABASES.create(databaseName);
        database.create(layout);
        String role = "lacking_" + NUMBER.incrementAndGet();
        database.createLogin(role);
        try (Connection connection = database.connect()) {
            ProcessedEvents.create(connection, layout, "sent");
            ProcessedEvents.grant(connection, layout, "sent", DatabaseRoles.NONE.relay(role));
            TableSchema.grant(connection, layout, DatabaseRoles.NONE.relay(role));
        }
        StoreAdmin relay = TableStore.on(
                        database.as(role), layout, TableOptions.defaults().guard("sent"))
                .admin();
        assertThat(lacking(relay)).isEmpty();
        List<String> given = new ArrayList<>(List.of(
                "update, delete on waybill_event",
                "insert, update on waybill_relay",
                "insert, update, delete on waybill_claim",
                "update on waybill_replay",
                "insert on waybill_audit",
                "insert, update on sent"));
        if (database.dialect() == TableDialect.POSTGRESQL) {
            given.add("select on sequence waybill_event_seq_seq");
        }
        for (String some : given) {
            String[] parts = some.split(" on ", 2);
            for (String privilege : parts[0].split(", ", -1)) {
                String one = privilege + " on " + parts[1];
                database.execute("revoke " + one + " from " + role);
                assertThat(lacking(relay)).as(one).isNotEmpty();
                database.execute("grant " + one + " to " + role);
            }
        }
        assertThat(lacking(relay)).isEmpty();
    }

    private static List<Finding> lacking(StoreAdmin relay) {
        return relay.examine().stream()
                .filter(finding ->
                        finding.subject().equals("grants") && finding.severity() != Finding.Severity.FINE)
                .toList();
    }

    static Stream<String> databases() {
        return DatabasesOfUsers.names();
    }

    private static Event event(TableLayout layout) {
        String id = layout.aggregateIdKind() == TableLayout.IdKind.UUID ? "6f9619ff-8b86-d011-b42d-00cf4fc964ff" : "1";
        return Event.of("thing.happened.v1").aggregate("Thing", id).payload(Payload.json("{}"));
    }

    private static String die(TableStore store) {
        try (RelaySession session =
                store.open(RELAY, new OwnerId("one"), Duration.ofSeconds(30)).orElseThrow()) {
            Batch batch = session.claim(new Limits(10, 1_000_000)).orElseThrow();
            session.settle(batch, List.of(new Settlement.Dead("never", true, false)));
            return batch.events().get(0).id().toString();
        }
    }

    private static void refused(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isIn("42501", "42000"));
        }
    }

    @Test
    void grants_for_h2_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.grants(
                        TableLayout.preset("orders"), TableDialect.H2, DatabaseRoles.NONE.producer("app")));
    }
}
