package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay reads in order after processes that competed for the rows of its table. */
class LeasesLeftBehindTest {
    private TableFixture fixture;

    private RelaySession compete(TableDialect dialect, TableLayout layout) throws SQLException {
        fixture = new TableFixture(dialect, layout);
        claiming(TableOptions.Claiming.COMPETING);
        return fixture.open("competing");
    }

    private void claiming(TableOptions.Claiming claiming) {
        fixture.with(options -> options.claiming(claiming));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"POSTGRESQL, notifications", "MARIADB, notifications", "H2, notifications", "POSTGRESQL, waybill"})
    void rows_in_flight_in_a_killed_process_are_published_in_order(TableDialect dialect, String preset)
            throws SQLException {
        RelaySession killed = compete(dialect, TableLayout.preset(preset));
        String first = fixture.append("a");
        String other = fixture.append("b");
        Batch lost = killed.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(TableFixture.ids(lost)).containsExactlyInAnyOrder(first, other);
        String second = fixture.append("a");
        leasesExpire();

        claiming(TableOptions.Claiming.ORDERED);
        assertThat(TableFixture.drain(fixture.open("ordered"))).containsExactly(first, other, second);
        assertThat(sideRows()).isEmpty();
    }

    /** The clock of the database was set back after they were taken. */
    @ParameterizedTest
    @CsvSource({"POSTGRESQL, true", "MARIADB, true", "H2, true", "POSTGRESQL, false", "MARIADB, false", "H2, false"})
    void rows_of_a_killed_process_whose_leases_lie_far_ahead_are_taken_over(TableDialect dialect, boolean competing)
            throws SQLException {
        RelaySession killed = compete(dialect, TableLayout.notifications());
        String first = fixture.append("a");
        String other = fixture.append("b");
        assertThat(killed.claim(TableFixture.PLENTY).orElseThrow().events()).hasSize(2);
        long hour = Duration.ofHours(1).toMillis() * 1_000;
        fixture.execute("update {claim} set lease_until = lease_until + " + hour);
        fixture.execute("update {relay} set lease_until = lease_until + " + hour);
        if (!competing) {
            claiming(TableOptions.Claiming.ORDERED);
        }

        assertThat(TableFixture.drain(fixture.open("next"))).containsExactlyInAnyOrder(first, other);
        assertThat(sideRows()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_session_in_order_begins_once_nobody_works_on_rows(TableDialect dialect) throws SQLException {
        RelaySession competing = compete(dialect, TableLayout.notifications());
        String first = fixture.append("a");
        assertThat(competing.claim(TableFixture.PLENTY)).isPresent();
        String second = fixture.append("a");

        claiming(TableOptions.Claiming.ORDERED);
        assertThat(fixture.store().open(TableFixture.RELAY, new OwnerId("ordered"), TableFixture.LEASE))
                .isEmpty();
        competing.close();
        assertThat(TableFixture.drain(fixture.open("ordered"))).containsExactly(first, second);
    }

    @Test
    void a_retry_of_a_killed_process_can_no_longer_be_settled_by_it() throws SQLException {
        RelaySession killed = compete(TableDialect.POSTGRESQL, TableLayout.notifications());
        String id = fixture.append("a");
        killed.settle(killed.claim(TableFixture.PLENTY).orElseThrow(), List.of(fixture.retryIn(Duration.ofSeconds(1))));
        fixture.clock.advance(Duration.ofSeconds(2));
        fixture.passNanos(Duration.ofSeconds(2));
        Batch retry = killed.claim(TableFixture.PLENTY).orElseThrow();
        leasesExpire();

        claiming(TableOptions.Claiming.ORDERED);
        RelaySession ordered = fixture.open("ordered");
        Batch taken = ordered.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(TableFixture.ids(taken)).containsExactly(id);
        TableFixture.publish(killed, retry);
        assertThat(fixture.row(id)).containsEntry("status", "PENDING");
        TableFixture.publish(ordered, taken);
        assertThat(fixture.row(id)).containsEntry("status", "PROCESSED");
    }

    @Test
    void leases_that_are_left_while_a_session_reads_in_order_are_forgotten_within_a_minute() throws SQLException {
        RelaySession killed = compete(TableDialect.POSTGRESQL, TableLayout.notifications());
        leasesExpire();
        claiming(TableOptions.Claiming.ORDERED);
        RelaySession ordered = fixture.open("ordered");
        String id = fixture.append("a");
        assertThat(killed.claim(TableFixture.PLENTY)).isPresent();
        assertThat(TableFixture.drain(ordered)).isEmpty();
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(ordered)).as("while its lease is valid").isEmpty();

        fixture.execute("update {claim} set lease_until = 1");
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(ordered)).containsExactly(id);
    }

    /** Those of rows, and the one that competing sessions share. */
    private void leasesExpire() throws SQLException {
        fixture.execute("update {claim} set lease_until = 1");
        fixture.execute("update {relay} set lease_until = 1");
    }

    private List<?> sideRows() throws SQLException {
        return fixture.database.rows("select row_id from waybill_claim");
    }
}
