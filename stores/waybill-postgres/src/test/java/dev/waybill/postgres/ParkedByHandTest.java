package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parked events changed with plain SQL while a session runs that remembers when the next one is due. */
class ParkedByHandTest extends JournalFixture {

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
}
