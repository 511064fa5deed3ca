package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table may hold ids that are longer than those of the side table and of the guard. */
class LongIdsTest {
    private static final String LONG = "x".repeat(300);

    private TableFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void create(TableDialect dialect, TableOptions.Claiming claiming) throws SQLException {
        fixture = new TableFixture(dialect, TableLayout.notifications()).with(options -> options.claiming(claiming));
        fixture.execute(
                switch (dialect) {
                    case POSTGRESQL -> "alter table {table} alter column {id} type text";
                    case MARIADB ->
                        "alter table {table} modify {id} varchar(500) character set utf8mb4 collate utf8mb4_nopad_bin";
                    case H2 -> "alter table {table} alter column {id} set data type varchar(500)";
                });
    }

    private void insertLong() throws SQLException {
        fixture.execute("insert into {table} (event_id, event_type, aggregate_type, aggregate_id, status, payload,"
                + " created_at) values ('" + LONG + "', 't', 'CUSTOMER', 1, 'PENDING', '{}', '2026-01-01 00:00:00')");
    }

    private Finding finding() {
        return fixture.store().admin().examine().stream()
                .filter(finding -> finding.subject().equals("ids"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void competing_relays_leave_out_a_row_with_a_longer_id_and_the_doctor_counts_it(TableDialect dialect)
            throws SQLException {
        create(dialect, TableOptions.Claiming.COMPETING);
        insertLong();
        String other = fixture.append("a");
        RelaySession session = fixture.open("one");

        assertThat(TableFixture.drain(session)).containsExactly(other);
        assertThat(fixture.row(LONG)).containsEntry("status", "PENDING");
        assertThat(fixture.database.rows("select row_id from waybill_claim")).isEmpty();
        assertThat(finding().severity()).isEqualTo(Finding.Severity.PROBLEM);
        assertThat(finding().what()).startsWith("1 rows have more than 255 characters in event_id");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_column_that_could_hold_longer_ids_is_fine(TableDialect dialect) throws SQLException {
        create(dialect, TableOptions.Claiming.COMPETING);
        String id = fixture.append("a");

        assertThat(finding().severity()).isEqualTo(Finding.Severity.FINE);
        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_id_longer_than_the_guard_can_record_is_sent_without_it(TableDialect dialect) throws SQLException {
        create(dialect, TableOptions.Claiming.ORDERED);
        fixture.with(options -> options.guard(ProcessedEvents.TABLE));
        try (Connection connection = fixture.database.connect()) {
            ProcessedEvents.create(connection, fixture.layout, ProcessedEvents.TABLE);
        }
        insertLong();
        String other = fixture.append("a");

        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(LONG, other);
        assertThat(fixture.row(LONG)).containsEntry("status", "PROCESSED");
        assertThat(fixture.database.rows(
                        "select event_id from " + dialect.quote(ProcessedEvents.TABLE) + " where status = 'SUCCESS'"))
                .hasSize(1);
        assertThat(finding().severity()).isEqualTo(Finding.Severity.WARNING);
    }
}
