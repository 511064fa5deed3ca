package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.spi.OwnerId;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TableSchemaTest {
    private static final List<String> PRESETS =
            List.of("polyshop", "orders", "pubsub", "notifications", "waybill", "debezium");

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> PRESETS.stream().map(preset -> Arguments.of(dialect, preset)));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void a_layout_is_created_once_with_its_side_tables(TableDialect dialect, String preset) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        TableLayout layout = TableLayout.preset(preset);

        assertThat(database.create(layout)).isEqualTo(new TableSchema.Created(true, true));
        assertThat(database.create(layout)).isEqualTo(new TableSchema.Created(false, false));
        LayoutNames names = new LayoutNames(layout, dialect);
        for (String side : List.of("{relay}", "{claim}", "{audit}")) {
            assertThat(database.rows(names.in("select * from " + side))).isEmpty();
        }
        assertThat(database.rows(names.in("select version from {schema_version}")))
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void the_printed_script_creates_the_same_tables(TableDialect dialect, String preset) throws SQLException {
        LayoutDatabase printed = LayoutDatabase.create(dialect);
        TableLayout layout = TableLayout.preset(preset);
        printed.run(TableSchema.script(layout, dialect));
        printed.run(TableSchema.script(layout, dialect));

        assertThat(printed.create(layout)).isEqualTo(new TableSchema.Created(false, false));
        LayoutDatabase created = LayoutDatabase.create(dialect, layout);
        assertThat(columns(printed, layout)).isEqualTo(columns(created, layout));
    }

    /** Init on a table in use asks for a lock that conflicts with a relay's transaction. */
    @Test
    void nobody_queues_behind_the_lock_that_init_waits_for() throws Exception {
        TableLayout layout = TableLayout.preset("polyshop");
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, layout);
        String park = new LayoutNames(layout, TableDialect.POSTGRESQL).in("""
                insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts)
                values ('o', '%s', 'k', 1, 'dead', false, 0)""");
        CompletableFuture<TableSchema.Created> init;
        try (Connection relay = database.begin();
                Statement statement = relay.createStatement()) {
            statement.execute(park.formatted("1"));
            init = CompletableFuture.supplyAsync(() -> {
                try {
                    return database.create(layout);
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            Await.until(
                    "init waits",
                    () -> !database.rows("select from pg_locks where not granted and mode = 'ShareLock'")
                            .isEmpty());
            database.execute("set lock_timeout = '5s'; " + park.formatted("2"));
            assertThat(init).isNotDone();
            relay.commit();
        }
        assertThat(init.get(60, TimeUnit.SECONDS)).isEqualTo(new TableSchema.Created(false, false));
    }

    @Test
    void the_tables_have_the_columns_of_their_documents() throws SQLException {
        assertThat(columnNames(TableLayout.polyshop()))
                .containsExactly(
                        "id",
                        "aggregate_id",
                        "event_type",
                        "version",
                        "payload",
                        "created_at",
                        "processed",
                        "processed_at",
                        "error_message");
        assertThat(columnNames(TableLayout.orders()))
                .containsExactly(
                        "id",
                        "aggregate_type",
                        "aggregate_id",
                        "event_type",
                        "payload",
                        "status",
                        "created_at",
                        "sent_at",
                        "error_message");
        assertThat(columnNames(TableLayout.pubsub()))
                .containsExactly(
                        "id",
                        "event_type",
                        "aggregate_type",
                        "aggregate_id",
                        "payload_json",
                        "created_at",
                        "published_at",
                        "attempt_count",
                        "last_error");
        assertThat(columnNames(TableLayout.notifications()))
                .containsExactly(
                        "event_id",
                        "event_type",
                        "aggregate_type",
                        "aggregate_id",
                        "status",
                        "payload",
                        "created_at",
                        "published_at");
    }

    @Test
    void the_order_service_gets_the_indexes_of_its_document_and_no_others() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, TableLayout.orders());

        assertThat(
                        database.rows(
                                "select replace(indexdef, schemaname || '.', '') as indexdef from pg_indexes where tablename = 'outbox' and schemaname = current_schema() order by indexname"))
                .extracting(row -> row.get("indexdef"))
                .containsExactly(
                        "CREATE INDEX idx_outbox_aggregate ON outbox USING btree (aggregate_id)",
                        "CREATE INDEX idx_outbox_status_created ON outbox USING btree (status, created_at)",
                        "CREATE UNIQUE INDEX outbox_pkey ON outbox USING btree (id) WITH (fillfactor='50')");
    }

    @Test
    void a_row_that_is_marked_stays_on_its_page_on_postgresql() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, TableLayout.waybill());
        database.execute("insert into waybill_event (id, type, aggregate_type, aggregate_id, payload)"
                + " select g::text, 't', 'Thing', 'a', repeat('x', 400) from generate_series(1, 1000) g");
        String pages = "select seq, (ctid::text::point)[0] as page from waybill_event order by seq";
        List<Map<String, Object>> before = database.rows(pages);

        database.execute("update waybill_event set status = 'PUBLISHED', published_at = now()");

        assertThat(database.rows(pages)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void polling_has_an_index_if_the_layout_names_none(TableDialect dialect) throws SQLException {
        for (TableLayout layout : List.of(TableLayout.polyshop(), TableLayout.pubsub(), TableLayout.waybill())) {
            assertThat(TableSchema.script(layout, dialect)).contains("idx_" + layout.table() + "_pending");
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_existing_table_is_not_altered(TableDialect dialect) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        // PostgreSQL does not compare texts with UUIDs.
        String id = dialect == TableDialect.POSTGRESQL ? "uuid" : "char(36)";
        database.execute("create table outbox (id " + id + " primary key, aggregate_type varchar(80) not null,"
                + " aggregate_id char(36) not null, event_type varchar(80) not null, payload text not null,"
                + " status varchar(10) not null, created_at timestamp(6) not null, sent_at timestamp(6), error_message text,"
                + " note varchar(10))");
        TableLayout layout = TableLayout.orders();
        List<String> before = columns(database, layout);

        assertThat(database.create(layout)).isEqualTo(new TableSchema.Created(false, true));
        assertThat(columns(database, layout)).isEqualTo(before);
    }

    @Test
    void ids_that_postgresql_cannot_find_again_are_refused_by_init_and_by_a_relay_and_a_finding() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL);
        TableLayout layout = TableLayout.orders();
        database.create(layout);
        database.execute("alter table outbox alter column id type varchar(36)");
        TableStore store = TableStore.on(database.dataSource(), layout, TableOptions.defaults());
        String what = "its column id is varchar (use idKind(TEXT))";

        assertThatThrownBy(() -> database.create(layout)).hasMessageContaining(what);
        assertThatThrownBy(() -> store.open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE))
                .hasMessageContaining(what);
        assertThat(store.admin().examine())
                .filteredOn(finding -> finding.severity() == Finding.Severity.PROBLEM)
                .anyMatch(finding -> finding.what().contains(what));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_table_that_does_not_match_its_layout_is_refused_with_all_differences(TableDialect dialect)
            throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect);
        String local = dialect == TableDialect.MARIADB ? "datetime(6)" : "timestamp";
        database.execute("create table outbox_events (id varchar(36) primary key, aggregate_id bigint,"
                + " event_type varchar(80), payload varchar(80), created_at " + local + ", processed boolean,"
                + " processed_at " + local + ")");

        assertThatThrownBy(() -> database.create(TableLayout.polyshop()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "outbox_events",
                        "no column version for the version",
                        "no column error_message for the error",
                        "use aggregateIdKind(NUMBER)",
                        "use timesIn(ZoneOffset.UTC)");
        assertThatThrownBy(() -> database.rows(
                        new LayoutNames(TableLayout.polyshop(), dialect).in("select * from {schema_version}")))
                .isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void tables_of_a_newer_waybill_are_refused(TableDialect dialect) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(dialect, TableLayout.waybill());
        database.execute("insert into waybill_schema_version (version) values (99)");

        assertThatThrownBy(() -> database.create(TableLayout.waybill()))
                .hasMessageContainingAll("99", "at least as new");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void tables_of_an_older_waybill_are_refused_with_the_remedy(TableDialect dialect) throws SQLException {
        TableLayout layout = TableLayout.waybill();
        LayoutDatabase database = LayoutDatabase.create(dialect, layout);
        database.execute("update waybill_schema_version set version = 1");
        TableStore store = TableStore.on(database.dataSource(), layout, TableOptions.defaults());

        assertThatThrownBy(() -> store.open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE))
                .hasMessageContainingAll("version 1", "drop waybill_claim");
        assertThatThrownBy(() -> database.create(layout)).hasMessageContainingAll("version 1", "drop waybill_claim");
        assertThat(store.admin().examine())
                .filteredOn(finding -> finding.subject().equals("schema"))
                .allMatch(finding -> finding.severity() == Finding.Severity.PROBLEM
                        && finding.remedy().contains("drop waybill_claim"));
    }

    @Test
    void a_time_zone_known_only_to_postgresql_is_refused_on_other_databases() throws SQLException {
        TableLayout berlin = TableLayout.orders()
                .change()
                .timesIn(ZoneId.of("Europe/Berlin"))
                .build();
        LayoutDatabase.create(TableDialect.POSTGRESQL).create(berlin);
        assertThatThrownBy(() -> LayoutDatabase.create(TableDialect.H2).create(berlin))
                .hasMessageContainingAll("Europe/Berlin", "only do on PostgreSQL");
    }

    @Test
    void a_layout_in_a_schema_has_its_tables_there() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL);
        database.execute("create schema sales");
        database.create(
                TableLayout.orders().change().table("sales", "order_outbox").build());

        assertThat(database.rows("select table_name from information_schema.tables where table_schema = 'sales'"))
                .extracting(row -> row.get("table_name"))
                .contains("order_outbox", "waybill_claim", "waybill_relay");
    }

    @Test
    void h2_in_the_mode_of_postgresql_folds_names_its_own_way() throws SQLException {
        LayoutDatabase database =
                new LayoutDatabase(TableDialect.H2, EmptyDatabase.h2(";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE"));
        database.execute(
                "create table outbox (id uuid primary key, aggregate_type varchar(80) not null,"
                        + " aggregate_id uuid not null, event_type varchar(80) not null, payload text not null,"
                        + " status varchar(10) not null, created_at timestamp(6) not null, sent_at timestamp(6), error_message text)");

        assertThat(database.create(TableLayout.orders())).isEqualTo(new TableSchema.Created(false, true));
    }

    @Test
    void an_unusable_layout_is_refused_when_it_is_built() {
        assertThatThrownBy(() -> TableLayout.of("t").build()).hasMessageContaining("names no column for the id");
        assertThatThrownBy(() ->
                        TableLayout.orders().change().without(TableColumn.STATE).build())
                .hasMessageContaining("names no column for the state");
        assertThatThrownBy(() -> TableLayout.pubsub()
                        .change()
                        .column(TableColumn.ERROR, "PAYLOAD_JSON")
                        .build())
                .hasMessageContaining("PAYLOAD_JSON for two things");
        assertThatThrownBy(() -> TableLayout.orders()
                        .change()
                        .column(TableColumn.LOCKED_BY, "locked_by")
                        .build())
                .hasMessageContaining("a lease needs owner and expiry");
        assertThatThrownBy(() -> new TableState.Words("NEW'; --", "SENT", Optional.empty()))
                .hasMessageContaining("status word");
        assertThatThrownBy(() -> TableLayout.preset("order")).hasMessageContaining("polyshop, orders, pubsub");
        assertThat(TableLayout.orders().change().build().columns())
                .isEqualTo(TableLayout.orders().columns());
        assertThat(TableLayout.orders().zone()).contains(ZoneOffset.UTC);
    }

    private static List<String> columnNames(TableLayout layout) throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, layout);
        return columns(database, layout).stream()
                .map(column -> column.substring(0, column.indexOf(' ')))
                .toList();
    }

    private static List<String> columns(LayoutDatabase database, TableLayout layout) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = database.connect();
                var statement = connection.createStatement();
                var nothing = statement.executeQuery(
                        new LayoutNames(layout, database.dialect()).in("select * from {table} where 1 = 0"))) {
            var all = nothing.getMetaData();
            for (int i = 1; i <= all.getColumnCount(); i++) {
                columns.add(all.getColumnName(i).toLowerCase(Locale.ROOT) + " " + all.getColumnTypeName(i) + " "
                        + all.getPrecision(i) + " " + all.isNullable(i));
            }
        }
        return columns;
    }
}
