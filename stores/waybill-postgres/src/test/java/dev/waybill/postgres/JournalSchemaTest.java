package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.postgres.journal.Migrations;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.RelayReport;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalSchemaTest extends JournalFixture {
    /** Tables, columns with their defaults, constraints, triggers, indexes, sequences and storage options. */
    private static final String CATALOG = """
            select 'relation ' || c.relname || ' ' || c.relkind::text || ' ' || coalesce(c.reloptions::text, '')
              from pg_class c where c.relnamespace = 'waybill'::regnamespace
            union all
            select 'column ' || c.relname || ' ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
                   || ' ' || a.attnotnull || ' ' || a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
              from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
              left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
             where c.relnamespace = 'waybill'::regnamespace
            union all
            select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
              from pg_constraint where connamespace = 'waybill'::regnamespace
            union all
            select 'trigger ' || tgenabled::text || ' ' || pg_get_triggerdef(t.oid)
              from pg_trigger t join pg_class c on c.oid = t.tgrelid
             where c.relnamespace = 'waybill'::regnamespace and not tgisinternal
            union all
            select 'index ' || indexdef from pg_indexes where schemaname = 'waybill'
            union all
            select 'sequence ' || sequencename || ' ' || start_value || ' ' || increment_by || ' ' || cache_size
              from pg_sequences where schemaname = 'waybill'
            union all
            select 'version ' || version || ' ' || name from waybill.schema_version
            order by 1""";

    @Test
    void a_journal_that_takes_events_is_told_from_one_that_does_not() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            JournalSchema.requireAppendable(connection);
            assertThat(database.texts("select id::text from waybill.event")).isEmpty();

            statement.execute("alter schema waybill rename to elsewhere");
            assertThatThrownBy(() -> JournalSchema.requireAppendable(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("waybill.event");
            statement.execute("alter schema elsewhere rename to waybill");
        }
    }

    @Test
    void creating_it_again_changes_nothing() throws SQLException {
        append("a1");
        List<String> before = database.texts(CATALOG);

        try (Connection connection = database.connect()) {
            assertThat(JournalSchema.create(connection)).isZero();
            assertThat(connection.getAutoCommit()).isTrue();
        }

        assertThat(database.texts(CATALOG)).isEqualTo(before);
        assertThat(drain(open())).containsExactly("a1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void several_processes_may_create_it_at_once(String isolation) throws Exception {
        JournalDatabase fresh = JournalDatabase.withoutJournal();
        fresh.execute("alter database " + fresh.name() + " set default_transaction_isolation = '" + isolation + "'");
        CyclicBarrier together = new CyclicBarrier(6);
        List<CompletableFuture<Integer>> creating = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> create(fresh, together), command -> new Thread(command).start()))
                .toList();

        List<Integer> applied = new ArrayList<>();
        for (CompletableFuture<Integer> one : creating) {
            applied.add(one.get());
        }

        assertThat(applied).containsExactlyInAnyOrder(Migrations.newestVersion(), 0, 0, 0, 0, 0);
        assertThat(fresh.texts(CATALOG)).isEqualTo(database.texts(CATALOG));
    }

    private static int create(JournalDatabase database, CyclicBarrier together) {
        try (Connection connection = database.connect()) {
            together.await();
            return JournalSchema.create(connection);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_holder_of_its_lock_is_named_after_a_limited_wait() throws SQLException {
        database.execute("create role schema_viewer login");
        try (Connection viewer = database.dataSourceAs("schema_viewer").getConnection();
                Statement statement = viewer.createStatement()) {
            statement.execute("select pg_advisory_lock(hashtext('waybill schema'))");
            String pid = database.texts("select pid::text from pg_stat_activity where usename = 'schema_viewer'")
                    .get(0);
            for (boolean autoCommit : List.of(true, false)) {
                try (Connection connection = database.connect()) {
                    connection.setAutoCommit(autoCommit);
                    assertThatThrownBy(() -> JournalSchema.create(connection, Duration.ZERO))
                            .isInstanceOf(SQLException.class)
                            .hasMessageContainingAll("schema_viewer, pid " + pid, "pg_terminate_backend");
                    connection.setAutoCommit(true);
                }
            }
        }
        try (Connection connection = database.connect()) {
            assertThat(JournalSchema.create(connection)).isZero();
        }
    }

    @Test
    void in_the_callers_transaction_the_caller_commits() throws SQLException {
        JournalDatabase fresh = JournalDatabase.withoutJournal();
        try (Connection connection = fresh.begin()) {
            assertThat(JournalSchema.create(connection)).isEqualTo(Migrations.newestVersion());
            assertThat(connection.getAutoCommit()).isFalse();
            connection.rollback();
        }
        assertThat(fresh.number("select count(*) from pg_namespace where nspname = 'waybill'"))
                .isZero();
    }

    @Test
    void a_schema_of_a_newer_waybill_is_refused_and_not_changed() throws SQLException {
        JournalDatabase newer = JournalDatabase.create();
        newer.execute("insert into waybill.schema_version (version, name) values (99, 'from the future')");
        try (Connection connection = newer.connect()) {
            assertThatThrownBy(() -> JournalSchema.create(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContainingAll("version 99", "at least as new");
            assertThat(connection.getAutoCommit()).isTrue();
        }
        assertThat(newer.number("select count(*) from waybill.schema_version"))
                .isEqualTo(Migrations.newestVersion() + 1);
    }

    @Test
    void the_printed_script_creates_the_same_schema() throws SQLException {
        JournalDatabase scripted = JournalDatabase.withoutJournal();

        scripted.execute(JournalSchema.script());

        assertThat(scripted.texts(CATALOG)).hasSizeGreaterThan(60).isEqualTo(database.texts(CATALOG));
        try (Connection connection = scripted.connect()) {
            assertThat(JournalSchema.create(connection)).isZero();
        }
    }

    @Test
    void a_lease_survives_an_upgrade_of_the_schema() throws Exception {
        JournalDatabase older = JournalDatabase.withoutJournal();
        older.execute("""
                create schema waybill;
                create table waybill.schema_version (version integer primary key, name text not null)""");
        for (String file : List.of("V1__journal", "V2__replay", "V3__discarded")) {
            try (InputStream in = JournalSchema.class.getResourceAsStream("journal/" + file + ".sql")) {
                older.execute(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        older.execute("""
                insert into waybill.schema_version (version, name) select n, 'older' from generate_series(1, 3) n;
                insert into waybill.relay (name, system_id, base, base_next, base_floor, seq, owner, epoch, lease_until)
                select 'relay', system_identifier::text, '3:3:', '3', 0, 0, 'older owner', nextval('waybill.epoch'),
                       clock_timestamp() + interval '1 minute' from pg_control_system()""");
        PostgresJournal journal = PostgresJournal.on(older.dataSource(), options());
        assertThatThrownBy(() -> journal.open(RELAY, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("version 3", "waybill init");
        try (Connection connection = older.connect()) {
            assertThat(JournalSchema.create(connection)).isEqualTo(Migrations.newestVersion() - 3);
        }

        assertThat(journal.open(RELAY, OWNER, LEASE)).isEmpty();
        assertThat(tracked(journal.open(RELAY, new OwnerId("older owner"), LEASE))
                        .orElseThrow()
                        .epoch())
                .isEqualTo(2);
    }

    @Test
    void processes_share_relays_of_a_schema_that_has_no_reports_yet() throws Exception {
        JournalDatabase older = JournalDatabase.withoutJournal();
        try (Connection connection = older.connect()) {
            JournalSchema.create(connection);
        }
        older.execute("alter table waybill.process drop column reports");
        ProcessRegister register =
                PostgresJournal.on(older.dataSource(), options()).processes().orElseThrow();
        RelayReport report = new RelayReport(OWNER, RELAY, "running", Optional.empty(), Optional.empty());
        try (ProcessRegister.Registration own = register.register()) {
            own.announce(new ProcessRegister.Entry(OWNER, 1, 1, Set.of(RELAY)), LEASE);
            own.report(List.of(report));
            assertThat(own.read().processes()).hasSize(1);
            assertThat(register.reports()).isEmpty();
        }
    }

    @Test
    void a_relay_on_a_database_without_the_schema_is_refused_with_the_remedy() {
        JournalDatabase fresh = JournalDatabase.withoutJournal();
        assertThatThrownBy(() -> PostgresJournal.on(fresh.dataSource()).open(RELAY, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("there is no schema waybill", "waybill init");
    }

    @Test
    void any_language_appends_with_one_insert_of_four_columns() throws SQLException {
        database.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                + " values ('order.placed', 'Order', '4711', '{\"total\": 12}')");

        RelaySession session = open();
        var event = session.claim(PLENTY).orElseThrow().events().get(0);

        assertThat(event.type()).hasToString("order.placed");
        assertThat(event.orderKey()).hasToString("Order:4711");
        assertThat(new String(event.payload(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("{\"total\": 12}");
        assertThat(event.version()).isEqualTo(1);
        assertThat(UuidForm.matches(event.id().toString())).isTrue();
        assertThat(event.contentType()).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "type = ''",
                "type = null",
                "type = repeat('x', 256)",
                "aggregate_type = ''",
                "aggregate_type = repeat('x', 256)",
                "aggregate_id = ''",
                "aggregate_id = null",
                "aggregate_id = repeat('x', 1001)",
                "topic = ''",
                "topic = repeat('x', 256)",
                "key = ''",
                "key = repeat('x', 1001)",
                "payload = null",
                "payload_bytes = 'both'",
                "headers = '[]'",
                "headers = '1'",
                "id = null",
                "xid = null",
                "created_at = null"
            })
    void a_row_no_relay_could_publish_is_refused(String change) throws SQLException {
        append("a1");
        assertThatThrownBy(() -> database.execute("update waybill.event set " + change))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).startsWith("23"));
    }

    /** The trigger looks closely at names only if they are long or odd: those must not be refused. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "type = repeat('x', 255), aggregate_type = repeat('x', 255), aggregate_id = repeat('x', 1000)",
                "topic = repeat('x', 255), key = repeat('x', 1000)",
                "type = repeat('ü', 255), topic = repeat('語', 255)",
                "aggregate_id = E'line\\nbreak\\u0001', key = E'\\u0085'",
                "type = '%s', aggregate_type = '%%', aggregate_id = '%1$s', topic = chr(92), key = chr(92) || 'n'"
            })
    void a_row_at_its_limits_is_stored(String change) throws SQLException {
        append("a1");

        database.execute("update waybill.event set " + change);

        assertThat(drain(open())).hasSize(1);
    }

    @Test
    void a_payload_that_is_not_json_is_refused() {
        assertThatThrownBy(
                        () -> database.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                                + " values ('order.placed', 'Order', '4711', '{')"))
                .hasMessageContaining("json");
    }
}
