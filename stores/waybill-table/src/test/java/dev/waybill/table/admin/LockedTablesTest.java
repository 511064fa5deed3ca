package dev.waybill.table.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.LayoutDatabase;
import dev.waybill.table.ProcessedEvents;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableStore;
import dev.waybill.table.rows.StartChecks;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** What is said while a session of PostgreSQL keeps a table of a relay locked. */
class LockedTablesTest {
    private static final TableLayout LAYOUT = TableLayout.orders();
    private static final String GUARD = "processed_event";

    private LayoutDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = LayoutDatabase.create(TableDialect.POSTGRESQL, LAYOUT);
        try (Connection connection = database.connect()) {
            ProcessedEvents.create(connection, LAYOUT, GUARD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox", "waybill_claim", "waybill_relay"})
    void the_session_is_named_and_nothing_else_is_called_missing(String table) throws SQLException {
        try (Connection holder = lock(table)) {
            List<Finding> findings =
                    TableCheckup.of(database.dataSource(), LAYOUT, false, Optional.of(GUARD), Duration.ZERO);

            assertThat(findings)
                    .filteredOn("severity", Severity.PROBLEM)
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.subject()).isEqualTo(Finding.LOCKS);
                        assertThat(found.what()).contains("process " + pid(holder), "forgotten repair");
                        assertThat(found.remedy()).contains("pg_terminate_backend");
                    });
            assertThat(findings)
                    .filteredOn(found -> found.what().contains("cannot be told"))
                    .isNotEmpty()
                    .allSatisfy(found -> {
                        assertThat(found.what()).contains("55P03");
                        assertThat(found.remedy()).contains("lock").doesNotContain("Create", "Run this check as");
                    });
            assertThat(findings).noneMatch(found -> found.what().contains("this user may not"));
            assertThat(findings).extracting(Finding::subject).contains("indexes", "collation");
        }
    }

    @Test
    void a_session_is_named_also_to_a_role_that_may_not_read_statistics() throws SQLException {
        String role = "waiting_" + System.nanoTime();
        database.createLogin(role);
        assertThat(locks(role).severity()).isEqualTo(Severity.WARNING);
        assertThat(locks(role).remedy()).contains("pg_read_all_stats");

        try (Connection holder = lock("waybill_relay")) {
            assertThat(locks(role).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(locks(role).what()).contains("process " + pid(holder));
            assertThat(locks(role).remedy()).contains("pg_read_all_stats");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox", "waybill_claim", GUARD})
    void a_check_of_the_start_fails_and_does_not_find_the_table_missing(String table) throws SQLException {
        try (Connection holder = lock(table);
                Connection connection = database.connect()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set lock_timeout = '200ms'");
            }
            List<Finding> problems = new ArrayList<>();
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> new StartChecks(connection, LAYOUT, false, Optional.of(GUARD))
                            .each((subject, check) -> {
                                Finding found = check.take();
                                if (found.severity() == Severity.PROBLEM) {
                                    problems.add(found);
                                }
                            }))
                    .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
            assertThat(problems).isEmpty();
            assertThat(holder.isClosed()).isFalse();
        }
    }

    @Test
    void a_relay_that_cannot_start_names_the_session() throws SQLException {
        try (Connection holder = lock("waybill_claim")) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> TableStore.on(database.dataSource(), LAYOUT, TableOptions.defaults())
                            .open(new RelayName("shop"), new OwnerId("one"), Duration.ofSeconds(30)))
                    .isNotInstanceOf(StoreRefusedException.class)
                    .withMessageContaining("Locked by process " + pid(holder));
        }
    }

    private Finding locks(String role) throws SQLException {
        return TableCheckup.of(database.as(role), LAYOUT, false, Optional.empty(), Duration.ofMinutes(1)).stream()
                .filter(found -> found.subject().equals(Finding.LOCKS))
                .findFirst()
                .orElseThrow();
    }

    private Connection lock(String table) throws SQLException {
        Connection holder = database.begin();
        try (Statement statement = holder.createStatement()) {
            statement.execute("set application_name = 'forgotten repair'");
            statement.execute("lock table " + table + " in access exclusive mode");
        }
        return holder;
    }

    private static int pid(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }
}
