package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.ClockSkew;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.journal.Durability;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.support.StoreClock;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

class JournalCheckupTest {
    private static final JournalSettings ANY = new JournalSettings(
            StoreClock.following(InstantSource.system(), System::nanoTime),
            1,
            Duration.ZERO,
            false,
            Durability.VISIBLE,
            Optional.empty());

    private JournalDatabase database;

    @BeforeEach
    void create() {
        database = JournalDatabase.create();
    }

    @Test
    void a_new_journal_has_no_problems() {
        List<Finding> findings = examine();

        assertThat(findings)
                .extracting(Finding::subject)
                .contains("connection", "encryption", "clock", "horizon", "schema", "grants", "producers", "indexes")
                .contains("order", "numbers", "cluster");
        assertThat(findings)
                .filteredOn(finding -> !List.of("durability", "horizon").contains(finding.subject()))
                .allMatch(finding -> finding.severity() == Severity.FINE);
        assertThat(findings).allMatch(f -> f.remedy().isEmpty() == (f.severity() == Severity.FINE));
    }

    @Test
    void a_database_without_the_journal_is_a_problem_with_its_remedy() {
        List<Finding> findings = examine(JournalDatabase.withoutJournal().dataSource());

        assertThat(one("schema", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(one("schema", findings).remedy()).contains("waybill init");
    }

    @Test
    void an_unreachable_database_is_a_problem() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");

        assertThat(PostgresJournal.on(nowhere).admin().examine())
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                    assertThat(finding.what()).contains("cannot be reached", "refused");
                });
    }

    @Test
    void a_session_that_prevents_vacuuming_is_named_with_the_remedy() throws SQLException {
        try (Connection open = database.begin();
                Statement statement = open.createStatement()) {
            statement.execute("set application_name = 'forgotten report'");
            statement.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                    + " values ('a.v1', 'A', '1', '{}')");

            Finding young = one("horizon", examine());
            Finding old = one("horizon", JournalCheckup.of(database.dataSource(), Duration.ZERO, ANY));
            open.rollback();

            assertThat(young.severity()).isEqualTo(Severity.FINE);
            assertThat(old.severity()).isEqualTo(Severity.WARNING);
            assertThat(old.what()).contains("forgotten report", "idle in transaction", database.name());
            assertThat(old.remedy()).contains("pg_terminate_backend");
        }
    }

    @Test
    void a_session_that_keeps_a_table_of_relays_locked_is_named_with_the_remedy() throws SQLException {
        try (Connection holder = holder()) {
            Finding young = one("locks", examine());
            Finding old = one("locks", JournalCheckup.of(database.dataSource(), Duration.ZERO, ANY));

            assertThat(young.severity()).isEqualTo(Severity.FINE);
            assertThat(old.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(old.what())
                    .contains("process " + pid(holder), "forgotten repair", "idle in transaction", "waybill.lease")
                    .doesNotContain("canary");
            assertThat(old.remedy()).contains("pg_terminate_backend");
        }
    }

    @Test
    void a_session_that_others_wait_for_is_named_also_to_a_role_that_may_not_read_statistics() throws Exception {
        String role = "waiting_" + database.name();
        database.execute("create role " + role + " login;" + JournalSchema.grants(DatabaseRoles.NONE.viewer(role)));
        DataSource viewer = database.dataSourceAs(role);
        try (Connection holder = holder("share row exclusive")) {
            assertThat(one("locks", JournalCheckup.of(viewer, Duration.ZERO, ANY)))
                    .as("nobody waits, and for how long the lock is held is hidden")
                    .satisfies(found -> {
                        assertThat(found.severity()).isEqualTo(Severity.WARNING);
                        assertThat(found.remedy()).contains("pg_read_all_stats");
                    });
            FutureTask<Long> waiting = new FutureTask<>(() -> {
                database.execute("delete from waybill.lease where false");
                return 0L;
            });
            new Thread(waiting, "waits for the lock").start();
            Await.until(
                    "a session waits",
                    () -> one("locks", JournalCheckup.of(viewer, Duration.ZERO, ANY))
                                    .severity()
                            == Severity.PROBLEM);

            Finding found = one("locks", JournalCheckup.of(viewer, Duration.ZERO, ANY));
            assertThat(found.what()).contains("process " + pid(holder), "forgotten repair");
            assertThat(found.remedy()).contains("pg_read_all_stats");
            holder.rollback();
            waiting.get();
        }
    }

    @Test
    void the_error_of_a_statement_that_waited_for_a_lock_names_the_session_that_holds_it() throws SQLException {
        try (Connection holder = holder()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> JournalConnection.once(
                            database.dataSource(),
                            "relay a was saving",
                            connection ->
                                    connection.briefly(same -> same.update("update waybill.lease set epoch = epoch"))))
                    .withMessageContaining("55P03")
                    .withMessageContaining("Locked by process " + pid(holder))
                    .withMessageContaining("forgotten repair")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("canary"));
        }
    }

    @Test
    void a_session_that_nobody_waits_for_is_named_to_every_role_if_relays_cannot_even_read() throws SQLException {
        String role = "looking_" + database.name();
        database.execute("create role " + role + " login;" + JournalSchema.grants(DatabaseRoles.NONE.viewer(role)));
        try (Connection holder = holder()) {
            Finding found = one("locks", examine(database.dataSourceAs(role)));

            assertThat(found.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(found.what()).contains("process " + pid(holder), "waybill.lease");
        }
    }

    private Connection holder() throws SQLException {
        return holder("access exclusive");
    }

    private Connection holder(String mode) throws SQLException {
        Connection holder = database.begin();
        try (Statement statement = holder.createStatement()) {
            statement.execute("set application_name = 'forgotten repair'");
            statement.execute("lock table waybill.lease in " + mode + " mode");
            statement.execute("select 'canary'");
        }
        return holder;
    }

    private static int pid(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    @Test
    void a_missing_index_and_an_invalid_one_are_named() throws SQLException {
        database.execute("drop index waybill.parked_due");
        database.execute("update pg_index set indisvalid = false where indexrelid = 'waybill.event_xid_seq'::regclass");

        Finding finding = one("indexes", examine());
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.what()).contains("missing: parked_due", "invalid: event_xid_seq");
    }

    @Test
    void a_sequence_with_a_cache_is_a_problem() throws SQLException {
        database.execute("alter sequence waybill.event_seq_seq cache 20");

        assertThat(one("numbers", examine()).what()).contains("cache 20");
        assertThat(one("numbers", examine()).severity()).isEqualTo(Severity.PROBLEM);
    }

    @Test
    void a_role_that_may_set_seq_is_named() throws SQLException {
        String role = "loose_" + database.name();
        database.execute("create role " + role + "; grant insert on waybill.event to " + role);

        assertThat(one("producers", examine()).severity()).isEqualTo(Severity.WARNING);
        assertThat(one("producers", examine()).what()).contains(role);
    }

    @Test
    void a_producer_with_the_grants_of_init_is_fine() throws SQLException {
        String role = "producer_" + database.name();
        database.execute("create role " + role + ";" + JournalSchema.grants(DatabaseRoles.NONE.producer(role)));

        assertThat(one("producers", examine()).severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void the_missing_privileges_of_a_viewer_are_listed() throws SQLException {
        String role = "viewer_" + database.name();
        database.execute("create role " + role + " login;" + JournalSchema.grants(DatabaseRoles.NONE.viewer(role)));

        List<Finding> findings = examine(database.dataSourceAs(role));
        assertThat(one("grants", findings).what())
                .contains("update on waybill.relay")
                .contains("select on waybill.event")
                .doesNotContain("select on waybill.relay");
        assertThat(one("horizon", findings).remedy()).contains("pg_read_all_stats");
        assertThat(one("schema", findings).severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void a_relay_role_with_the_grants_of_init_is_fine() throws SQLException {
        String role = "relay_" + database.name();
        database.execute("create role " + role + " login;" + JournalSchema.grants(DatabaseRoles.NONE.relay(role)));

        assertThat(one("grants", examine(database.dataSourceAs(role))).severity())
                .isEqualTo(Severity.FINE);
    }

    @Test
    void a_role_without_privileges_gets_findings_and_no_exception() throws SQLException {
        String role = "nobody_" + database.name();
        database.execute("create role " + role + " login");

        assertThat(examine(database.dataSourceAs(role)))
                .anyMatch(finding ->
                        finding.severity() == Severity.PROBLEM || finding.what().contains("cannot be told"));
    }

    @Test
    void a_role_without_usage_on_the_schema_is_told_what_to_grant_and_keeps_the_findings_about_the_server()
            throws SQLException {
        String role = "stranger_" + database.name();
        database.execute("create role " + role + " login");

        List<Finding> findings = examine(database.dataSourceAs(role));

        assertThat(one("connection", findings).severity()).isEqualTo(Severity.FINE);
        assertThat(findings).extracting(Finding::subject).contains("encryption", "durability", "clock");
        assertThat(one("schema", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(one("schema", findings).what()).contains("USAGE on the schema waybill");
        assertThat(one("schema", findings).remedy()).contains("waybill init", "--relay " + role, "--operator");
    }

    @Test
    void a_check_that_lacks_a_privilege_says_what_to_grant() throws SQLException {
        String role = "producer_only_" + database.name();
        database.execute("create role " + role + " login;" + JournalSchema.grants(DatabaseRoles.NONE.producer(role)));

        Finding schema = one("schema", examine(database.dataSourceAs(role)));

        assertThat(schema.what()).contains("cannot be told", "42501");
        assertThat(schema.remedy()).contains("waybill init --relay ROLE", "--viewer");
    }

    @Test
    void a_schema_of_another_version_is_a_problem_with_its_remedy() throws SQLException {
        database.execute("insert into waybill.schema_version (version, name) values (999, 'of the future')");
        assertThat(one("schema", examine()).remedy()).contains("at least as new");

        database.execute("delete from waybill.schema_version");
        assertThat(one("schema", examine()).remedy()).contains("waybill init");
    }

    @Test
    void a_position_of_another_cluster_is_a_problem_with_its_remedy() throws SQLException {
        database.execute("insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)"
                + " values ('moved', '1', '4:4:', '4', 0, 0)");

        assertThat(one("cluster", examine()).what()).contains("moved");
        assertThat(one("cluster", examine()).remedy()).contains("adopt");
    }

    @Test
    void a_clock_difference_is_reported_with_its_size() {
        Instant asked = Instant.ofEpochSecond(1_000);
        ClockSkew skew = new ClockSkew(asked);

        assertThat(skew.finding(1_000.4, asked.plusMillis(300)).severity()).isEqualTo(Severity.FINE);
        assertThat(skew.finding(1_005.3, asked.plusMillis(300)).what()).contains("5.0 s ahead");
        assertThat(skew.finding(990, asked.plusMillis(300)).what()).contains("10.0 s behind");
    }

    private List<Finding> examine() {
        return examine(database.dataSource());
    }

    private static List<Finding> examine(DataSource dataSource) {
        return PostgresJournal.on(dataSource).admin().examine();
    }

    private static Finding one(String subject, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }
}
