package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A guard that cannot record the events of its table is refused before anything is sent. */
class GuardCheckTest {
    private TableFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void create(TableDialect dialect) throws SQLException {
        fixture = new TableFixture(dialect, TableLayout.notifications())
                .with(options -> options.guard(ProcessedEvents.TABLE));
    }

    private void createGuard(String eventId) throws SQLException {
        createGuard(eventId, "unique");
    }

    private void createGuard(String eventId, String unique) throws SQLException {
        fixture.database.execute("create table "
                + fixture.database.dialect().quote(ProcessedEvents.TABLE) + " (event_id " + eventId
                + " not null " + unique + ", status varchar(20) not null, created_at timestamp, updated_at timestamp)");
    }

    private Finding finding() {
        return fixture.store().admin().examine().stream()
                .filter(finding -> finding.subject().equals("guard"))
                .findFirst()
                .orElseThrow();
    }

    private void assertRefused(String what) {
        assertThatThrownBy(() -> fixture.open("one"))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining(what);
        assertThat(finding().severity()).isEqualTo(Finding.Severity.PROBLEM);
        assertThat(finding().what()).contains(what);
    }

    /** Runs the statement of the remedy, after which a relay can start. */
    private void assertRemedied() throws SQLException {
        String remedy = finding().remedy();
        fixture.database.execute(remedy.substring(remedy.indexOf("run: ") + 5));
        assertThat(finding().severity()).isEqualTo(Finding.Severity.FINE);
        String id = fixture.append("a");
        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_guard_as_init_creates_it_is_fine(TableDialect dialect) throws SQLException {
        create(dialect);
        try (Connection connection = fixture.database.connect()) {
            ProcessedEvents.create(connection, fixture.layout, ProcessedEvents.TABLE);
        }
        assertThat(finding().severity()).isEqualTo(Finding.Severity.FINE);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_missing_guard_is_refused_and_a_finding(TableDialect dialect) throws SQLException {
        create(dialect);
        assertRefused("the guard, the table ProcessedEvent, cannot be read");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_guard_whose_ids_are_uuids_is_refused_until_they_are_texts(TableDialect dialect) throws SQLException {
        create(dialect);
        createGuard(dialect == TableDialect.MARIADB ? "binary(16)" : "uuid");
        assertRefused("cannot hold the ids of");
        assertRemedied();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_guard_whose_ids_are_too_short_is_refused_until_they_are_longer(TableDialect dialect) throws SQLException {
        create(dialect);
        createGuard("varchar(20)" + (dialect == TableDialect.MARIADB ? " collate utf8mb4_nopad_bin" : ""));
        assertRefused("a text of at least");
        assertRemedied();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "utf8mb4_general_ci",
                "latin1_swedish_ci",
                "utf8mb4_bin",
                "latin1_bin",
                "latin1_nopad_bin",
                "utf8mb3_nopad_bin"
            })
    void a_guard_that_cannot_record_every_id_is_used_and_the_doctor_says_how_to_change_it(String collation)
            throws SQLException {
        create(TableDialect.MARIADB);
        createGuard("varchar(255) collate " + collation);
        assertThat(finding().severity()).isEqualTo(Finding.Severity.WARNING);
        assertThat(finding().what()).contains("does not record every event", collation);
        String id = fixture.append("a");
        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id);
        fixture.close();
        assertRemedied();
    }

    @Test
    void a_guard_for_uuids_may_have_any_collation() throws SQLException {
        fixture = new TableFixture(TableDialect.MARIADB, TableLayout.orders())
                .with(options -> options.guard(ProcessedEvents.TABLE));
        createGuard("varchar(36) collate latin1_swedish_ci");
        assertThat(finding().severity()).isEqualTo(Finding.Severity.FINE);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_guard_without_a_unique_index_is_refused_until_it_has_one(TableDialect dialect) throws SQLException {
        create(dialect);
        createGuard("varchar(255)" + (dialect == TableDialect.MARIADB ? " collate utf8mb4_nopad_bin" : ""), "");
        assertRefused("no key or index makes event_id of the guard ProcessedEvent unique");
        assertRemedied();
    }

    @ParameterizedTest
    @CsvSource({"utf8mb4_bin, utf8mb4_bin", "latin1_bin, latin1_bin", "ascii_nopad_bin, latin1_nopad_bin"})
    void a_guard_whose_characters_are_those_of_the_ids_is_fine(String ids, String guard) throws SQLException {
        create(TableDialect.MARIADB);
        fixture.execute("alter table {table} modify {id} varchar(255) collate " + ids);
        createGuard("varchar(255) collate " + guard);
        assertThat(finding().severity()).isEqualTo(Finding.Severity.FINE);
        String id = fixture.append("a");
        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id);
    }

    @Test
    void the_guard_gets_times_of_the_type_that_the_table_has() throws SQLException {
        create(TableDialect.POSTGRESQL);
        fixture.execute("alter table {table} alter created_at type timestamptz using created_at at time zone 'utc',"
                + " alter published_at type timestamptz using published_at at time zone 'utc'");
        try (Connection connection = fixture.database.connect()) {
            ProcessedEvents.create(connection, fixture.layout, ProcessedEvents.TABLE);
        }
        assertThat(fixture.database.rows("select format_type(atttypid, null) as t from pg_attribute where attrelid ="
                        + " '\"ProcessedEvent\"'::regclass and attname like '%_at'"))
                .hasSize(2)
                .allMatch(row -> row.get("t").equals("timestamp with time zone"));
    }
}
