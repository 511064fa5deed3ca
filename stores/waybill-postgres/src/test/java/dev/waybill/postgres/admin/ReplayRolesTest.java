package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators who start and end replays with plain SQL can stop no relay, and every call is in the audit. */
class ReplayRolesTest extends OperatorRolesFixture {
    private static final String START = "select waybill.start_replay(%s, 'what', 'anna', 'why')";

    private void start(String arguments) throws SQLException {
        try (Connection connection = database.dataSourceAs(OPERATOR).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(START.formatted(arguments));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "E'a\\nb', 0, 0, null, null, null, null, null | No relay can have that name",
                "null, 0, 0, null, null, null, null, null | No relay can have that name",
                "'again', 0, 0, 'infinity', '-infinity', null, null, null | must be after its beginning",
                "'again', 0, 0, null, null, repeat('x', 50000000), null, null | so long a type"
            })
    void a_replay_with_invalid_values_is_refused(String arguments, String why) throws SQLException {
        open().close();
        assertThatThrownBy(() -> start(arguments)).hasMessageContaining(why);
        assertThat(journal().replays().replays()).isEmpty();
    }

    /** Relays refuse a journal with a position from another cluster, or with seqs that were not assigned. */
    @ParameterizedTest
    @ValueSource(
            strings = {"9000000000000000000, 9000000000000000000", "-1, -1", "null, null", "-1, 9000000000000000000"})
    void a_replay_with_invalid_positions_stops_no_relay(String positions) throws SQLException {
        append("a1");
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactly("a1");
        }
        start("'innocent', " + positions + ", null, null, null, null, null");
        append("a2");
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactly("a2");
        }
        assertThat(database.texts("""
                select name from waybill.relay where name = 'innocent'
                   and least(base_floor, target_floor, high) >= 0 and greatest(base_floor, target_floor, high) <= 1
                   and pg_snapshot_xmax(target) <= pg_snapshot_xmax(pg_current_snapshot())""")).hasSize(1);
        assertThat(as(OPERATOR).drop(new RelayName("innocent"), ANNA)).isTrue();
    }

    @Test
    void the_range_and_the_counts_of_a_replay_are_limited_to_existing_events() throws SQLException {
        append("a1", "a2", "a3");
        callAs(
                OPERATOR,
                "select waybill.start_replay('rr', 0, 1000, null, null, null, null, null, 'type harmless', 'a', 'w')");
        long last = database.number("select max(seq) from waybill.event");
        assertThat(as(VIEWER).audit(1).get(0).details())
                .isEqualTo("events 1 to " + last + "; asked for: type harmless");

        callAs(OPERATOR, "select waybill.set_replay_total('rr', -9223372036854775808, false)");
        assertThat(database.number("select total from waybill.replay where relay = 'rr'"))
                .isZero();
        callAs(OPERATOR, "select waybill.set_replay_total('rr', 9223372036854775807, true)");
        assertThat(database.number("select total from waybill.replay where relay = 'rr'"))
                .isEqualTo(last);
        callAs(OPERATOR, "select waybill.cancel_replay('rr', 'anna', '')");
        callAs(OPERATOR, "select waybill.end_cancelled_replay('rr', 9223372036854775807, true, 'anna', 'w')");
        AuditEntry entry = as(VIEWER).audit(1).get(0);
        assertThat(entry.action()).isEqualTo("replay-cancelled");
        assertThat(entry.details()).isEqualTo("sent 0, not sent " + last + ", dead 0");
    }

    @Test
    void a_denied_replay_is_in_the_audit_too() throws SQLException {
        append("a1");
        assertThatThrownBy(() -> PostgresJournal.on(database.dataSourceAs(VIEWER), options())
                        .replays()
                        .start(new RelayName("again"), ReplayQuery.EVERYTHING, ANNA))
                .isInstanceOf(StoreException.class);
        AuditEntry entry = as(VIEWER).audit(1).get(0);
        assertThat(entry.action()).isEqualTo("replay-start");
        assertThat(entry.allowed()).isFalse();
    }
}
