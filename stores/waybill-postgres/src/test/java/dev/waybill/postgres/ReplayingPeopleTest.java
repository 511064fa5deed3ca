package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators who start and end replays with plain SQL stop no relay, and the audit tells what it was. */
class ReplayingPeopleTest extends PeopleFixture {
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
    void a_replay_that_no_list_could_show_is_refused(String arguments, String why) throws SQLException {
        open().close();
        assertThatThrownBy(() -> start(arguments)).hasMessageContaining(why);
        assertThat(journal().replays().replays()).isEmpty();
    }

    /** Relays refuse a journal in which one position is of another cluster, or tells of seqs that were not given out. */
    @ParameterizedTest
    @ValueSource(
            strings = {"9000000000000000000, 9000000000000000000", "-1, -1", "null, null", "-1, 9000000000000000000"})
    void a_replay_with_positions_that_never_were_stops_no_relay(String positions) throws SQLException {
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
    void what_a_replay_is_about_and_how_it_ended_is_held_to_what_there_is() throws SQLException {
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
