package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parked events changed with plain SQL while a session runs that remembers when the next one is due. */
class ManualChangesTest extends JournalFixture {

    @Test
    void a_time_set_with_plain_sql_is_noticed_within_seconds() throws SQLException {
        RelaySession session = open();
        append("a1", "a2", "b1");
        Settlement inAnHour = new Settlement.RetryAt(clock().instant().plus(Duration.ofHours(1)), "not now");
        session.settle(session.claim(PLENTY).orElseThrow(), List.of(inAnHour, Settlement.BEHIND, Settlement.PUBLISHED));
        assertThat(drain(session)).isEmpty();

        database.execute("update waybill.parked set next_attempt_at = '2000-01-01' where state = 'due'");
        clock().advance(Duration.ofSeconds(10));

        assertThat(drain(session)).containsExactly("a1", "a2");
    }

    @Test
    void the_function_that_reopens_keys_has_the_statements_of_the_relay() throws SQLException {
        String body = words(database.texts("select prosrc from pg_proc where proname = 'reopen'"
                        + " and pronamespace = 'waybill'::regnamespace")
                .get(0));
        for (String sql : List.of(Parking.DEMOTE_BLOCKED, Parking.PROMOTE_UNBLOCKED)) {
            String named = sql.replace("?::uuid[]", "of_keys::uuid[]").replace("?", "of_relay");
            assertThat(body).contains(words(named));
        }
    }

    private static String words(String sql) {
        return sql.replaceAll("\\s+", " ").strip();
    }
}
