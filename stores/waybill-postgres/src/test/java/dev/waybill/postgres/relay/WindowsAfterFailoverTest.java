package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.postgres.Replica;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WindowSession.Resumed;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A failover to a replica that has the events, but not the last rows that the relay wrote. The destination keeps what it has
 * committed since. Events may be repeated, and none is lost.
 */
class WindowsAfterFailoverTest extends WindowsFixture {
    @Test
    void what_was_read_before_an_event_was_given_up_cannot_be_committed() throws SQLException {
        WindowSession session = resumed();
        append("a1", "b1", "a2");
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(List.of(event(page, "b1")), List.of(DEAD));
        assertThatThrownBy(() -> session.committed(page.end())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_dead_event_whose_row_was_lost_is_read_again() throws SQLException {
        WindowSession session = resumed();
        append("a1", "b1", "a2");
        WindowPage page = session.read(PLENTY).orElseThrow();
        Replica replica = Replica.stoppedNow(database);
        session.giveUp(List.of(event(page, "b1")), List.of(DEAD));
        session.resume(committed);
        WindowPage without = session.read(PLENTY).orElseThrow();
        assertThat(names(without)).containsExactly("a1", "a2");
        committed = Optional.of(without.end());

        replica.promote();
        WindowSession after = session();
        assertThat(after.resume(committed)).isEqualTo(Resumed.OWN_POSITION);
        assertThat(publish(after)).containsExactly("a1", "b1", "a2");
    }

    @Test
    void an_event_that_waits_behind_another_and_whose_row_was_lost_waits_again() throws SQLException {
        WindowSession session = resumed();
        append("a1");
        session.giveUp(session.read(PLENTY).orElseThrow().events(), List.of(HOLDING));
        session.resume(committed);
        assertThat(session.read(PLENTY)).isEmpty();
        append("b1", "b2", "b3", "a2", "b4");
        assertThat(names(session.read(TWO).orElseThrow())).containsExactly("b1", "b2");
        Replica replica = Replica.stoppedNow(database);
        assertThat(names(session.read(TWO).orElseThrow())).containsExactly("b3");
        WindowPage last = session.read(TWO).orElseThrow();
        assertThat(names(last)).containsExactly("b4");
        committed = Optional.of(last.end());

        replica.promote();
        WindowSession after = resumed();
        publish(after);
        requeueDead();
        assertThat(publish(after)).containsExactly("a1", "a2");
    }
}
