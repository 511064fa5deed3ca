package dev.waybill.table.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import dev.waybill.admin.RelayStatus;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.LayoutDatabase;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableStore;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables created by applications: columns that hide rows or treat different values as equal are found, and the remedies work.
 */
class ColumnsCheckupTest {
    private static final String RUN = "run: ";

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void rows_hidden_by_a_null_are_counted_and_the_column_is_named(TableDialect dialect) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        String time = dialect == TableDialect.MARIADB ? "datetime(6)" : "timestamp";
        String id = dialect == TableDialect.POSTGRESQL ? "uuid" : "varchar(36)";
        database.execute("create table outbox_events (id " + id + " primary key, aggregate_id varchar(36),"
                + " event_type varchar(80), payload varchar(80), version int, error_message varchar(80),"
                + " created_at " + time + ", processed boolean, processed_at " + time + ")");
        TableLayout layout =
                TableLayout.polyshop().change().timesIn(ZoneOffset.UTC).build();
        database.create(layout);
        for (int i = 0; i < 3; i++) {
            database.execute("insert into outbox_events (id, aggregate_id, event_type, payload, version, created_at)"
                    + " values ('" + UUID.randomUUID() + "', 'a', 't', '{}', 1, current_timestamp)");
        }
        database.execute("insert into outbox_events (id, aggregate_id, event_type, payload, version, processed)"
                + " values ('" + UUID.randomUUID() + "', 'a', 't', '{}', 1, false)");

        Finding nulls = one("nulls", examine(database, layout));
        assertThat(nulls.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(nulls.what()).contains("3 rows have no processed", "1 rows have no created_at");
        TableStore store = TableStore.on(database.dataSource(), layout);
        assertThat(store.admin().relays()).isEmpty();
        store.open(new RelayName("relay"), new OwnerId("one"), Duration.ofSeconds(5))
                .orElseThrow()
                .close();
        assertThat(store.admin().relays())
                .singleElement()
                .satisfies(relay -> assertThat(relay.backlog())
                        .as("it has a state, and no time")
                        .isEqualTo(1))
                .extracting(RelayStatus::hidden)
                .isEqualTo(OptionalLong.of(4));

        follow(nulls, database);
        assertThat(one("nulls", examine(database, layout)).severity()).isEqualTo(Severity.FINE);
        assertThat(store.admin().relays())
                .singleElement()
                .satisfies(relay -> assertThat(relay.backlog()).isEqualTo(4))
                .extracting(RelayStatus::hidden)
                .isEqualTo(OptionalLong.of(0));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void attempts_that_are_null_hide_a_row(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.pubsub();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        String table = new LayoutNames(layout, dialect).in("{table}");
        database.execute("drop table " + table);
        String time = dialect == TableDialect.MARIADB ? "datetime(6)" : "timestamp";
        String instants = dialect == TableDialect.MARIADB ? "timestamp(6) null" : "timestamp with time zone";
        String type = layout.zone().isPresent() ? time : instants;
        StringBuilder columns = new StringBuilder();
        layout.columns()
                .forEach((column, name) -> columns.append(columns.isEmpty() ? "" : ", ")
                        .append(dialect.quote(name))
                        .append(' ')
                        .append(
                                column == TableColumn.CREATED_AT || column == TableColumn.PUBLISHED_AT
                                        ? type
                                        : column == TableColumn.ATTEMPTS ? "int" : "varchar(80)"));
        database.execute("create table " + table + " (" + columns + ")");
        database.execute(new LayoutNames(layout, dialect)
                .in("insert into {table} ({id}, {created_at}) values ('x', current_timestamp)"));

        Finding nulls = one("nulls", examine(database, layout));

        assertThat(nulls.what()).contains("1 rows have no attempt_count");
        follow(nulls, database);
        assertThat(one("nulls", examine(database, layout)).severity()).isEqualTo(Severity.FINE);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_sequence_that_is_null_hides_a_row(TableDialect dialect) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        String time = dialect == TableDialect.MARIADB ? "datetime(6)" : "timestamp";
        database.execute("create table outbox_events (seq bigint unique, id varchar(36) primary key,"
                + " aggregate_id varchar(36), event_type varchar(80), payload varchar(80), version int,"
                + " error_message varchar(80), created_at " + time + ", processed boolean, processed_at " + time + ")");
        TableLayout layout = TableLayout.polyshop()
                .change()
                .timesIn(ZoneOffset.UTC)
                .column(TableColumn.SEQUENCE, "seq")
                .build();
        database.execute("insert into outbox_events (id, aggregate_id, event_type, payload, version, created_at,"
                + " processed) values ('" + UUID.randomUUID() + "', 'a', 't', '{}', 1, current_timestamp, false)");

        Finding nulls = one("nulls", examine(database, layout));
        assertThat(nulls.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(nulls.what()).contains("1 rows have no seq");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_sequence_that_is_not_unique_is_refused_with_the_remedy(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        String seq = dialect.quote("seq");
        switch (dialect) {
            case POSTGRESQL -> database.execute("alter table waybill_event drop constraint waybill_event_pkey");
            case MARIADB ->
                database.execute("alter table waybill_event modify seq bigint not null, drop primary key,"
                        + " add primary key (seq, id)");
            case H2 -> database.execute("alter table waybill_event drop primary key");
        }
        database.execute("create index by_seq on waybill_event (" + seq + ", " + dialect.quote("id") + ")");

        assertThat(one("order", examine(database, layout)).severity()).isEqualTo(Severity.PROBLEM);
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> open(database, layout))
                .withMessageContaining("seq")
                .satisfies(refused -> follow(String.valueOf(refused.getMessage()), database));
        open(database, layout).orElseThrow().close();
        assertThat(one("order", examine(database, layout)).severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void an_outbox_table_that_treats_different_ids_as_equal_is_found_on_mariadb() throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(TableDialect.MARIADB, layout);
        database.execute("alter table waybill_event convert to character set utf8mb4 collate utf8mb4_general_ci");
        assertThat(one("collation", examine(database, layout))).satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.what()).contains("id (utf8mb4_general_ci)", "event_key", "aggregate_id");
        });

        database.execute("alter table waybill_event convert to character set utf8mb4 collate utf8mb4_bin");
        Finding spaces = one("collation", examine(database, layout));
        assertThat(spaces.severity()).isEqualTo(Severity.WARNING);
        assertThat(spaces.what()).contains("spaces at their end");

        follow(spaces, database);
        assertThat(one("collation", examine(database, layout)).severity()).isEqualTo(Severity.FINE);
    }

    /** Created as in earlier versions, with the server's collation. */
    @Test
    void inbox_tables_of_earlier_versions_are_found_on_mariadb() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.MARIADB);
        database.execute("create table waybill_inbox (consumer varchar(100) not null, event_id varchar(255) not null,"
                + " handled_at timestamp(6) not null, primary key (consumer, event_id))");
        database.execute("create table waybill_inbox_version (consumer varchar(100) not null,"
                + " entity varchar(255) not null, version bigint not null, primary key (consumer, entity))");
        JdbcInbox inbox = inbox();

        List<Finding> findings = inbox.examine(database.dataSource());

        assertThat(findings)
                .filteredOn(finding -> finding.subject().equals("collation"))
                .hasSize(2)
                .allSatisfy(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                    assertThat(finding.what()).contains("latin1_swedish_ci");
                    follow(finding, database);
                });
        assertThat(inbox.examine(database.dataSource())).allMatch(finding -> finding.severity() == Severity.FINE);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_new_inbox_has_no_problems(TableDialect dialect) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        JdbcInbox inbox = inbox();
        assertThat(inbox.examine(database.dataSource()).get(0).severity()).isEqualTo(Severity.PROBLEM);

        try (Connection connection = database.connect()) {
            inbox.create(connection);
        }
        assertThat(inbox.examine(database.dataSource()))
                .hasSize(3)
                .allMatch(finding -> finding.severity() == Severity.FINE);
    }

    @Test
    void columns_that_ignore_case_are_found_on_h2_and_postgresql() throws SQLException {
        LayoutDatabase h2 = new LayoutDatabase(TableDialect.H2, EmptyDatabase.h2(";IGNORECASE=TRUE"));
        h2.execute("create table waybill_inbox (consumer varchar(100) not null, event_id varchar(255) not null,"
                + " handled_at timestamp with time zone not null, primary key (consumer, event_id))");
        Finding onH2 = one("collation", inbox().examine(h2.dataSource()));
        assertThat(onH2.what()).contains("VARCHAR_IGNORECASE");
        follow(onH2, h2);
        assertThat(one("collation", inbox().examine(h2.dataSource())).severity())
                .isEqualTo(Severity.FINE);

        LayoutDatabase postgres = LayoutDatabase.create(TableDialect.POSTGRESQL);
        postgres.execute("create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        postgres.execute("create table waybill_inbox (consumer varchar(100) not null,"
                + " event_id varchar(255) collate loose not null, handled_at timestamptz not null,"
                + " primary key (consumer, event_id))");
        Finding onPostgres = one("collation", inbox().examine(postgres.dataSource()));
        assertThat(onPostgres.what()).contains("event_id (loose)");
        follow(onPostgres, postgres);
        assertThat(one("collation", inbox().examine(postgres.dataSource())).severity())
                .isEqualTo(Severity.FINE);
    }

    @Test
    void an_id_that_looks_like_another_is_not_skipped_in_a_table_of_the_application() throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(TableDialect.MARIADB, layout);
        database.execute("alter table waybill_event convert to character set utf8mb4 collate utf8mb4_general_ci");
        JdbcOutbox outbox = JdbcOutbox.table(layout);
        try (Connection transaction = database.begin()) {
            assertThat(outbox.appendIfAbsent(transaction, event("evt-a"))).isEqualTo(1);
            assertThat(outbox.appendIfAbsent(transaction, event("evt-a"))).isZero();
            assertThatThrownBy(() -> outbox.appendIfAbsent(transaction, event("evt-A")))
                    .hasMessageContaining("evt-A");
        }
    }

    private static Event event(String id) {
        return Event.of("t").aggregate("Order", "1").payload(Payload.json("{}")).id(id);
    }

    private static JdbcInbox inbox() {
        return JdbcInbox.of(InboxLayout.waybill());
    }

    private static Optional<RelaySession> open(LayoutDatabase database, TableLayout layout) {
        return TableStore.on(database.dataSource(), layout)
                .open(new RelayName("r"), OwnerId.unique("test"), Duration.ofSeconds(30));
    }

    private static void follow(Finding finding, LayoutDatabase database) {
        follow(finding.remedy(), database);
    }

    private static void follow(String remedy, LayoutDatabase database) {
        assertThat(remedy).contains(RUN);
        try (Connection connection = database.connect();
                var statement = connection.createStatement()) {
            for (String sql :
                    remedy.substring(remedy.indexOf(RUN) + RUN.length()).split("; ", -1)) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Finding> examine(LayoutDatabase database, TableLayout layout) {
        return TableStore.on(database.dataSource(), layout, TableOptions.defaults())
                .admin()
                .examine();
    }

    private static Finding one(String subject, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }
}
