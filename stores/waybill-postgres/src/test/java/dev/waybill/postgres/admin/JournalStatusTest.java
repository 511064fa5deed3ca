package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.admin.RelayStatus;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalStatusTest extends JournalFixture {
    private static final double ONE_A_MINUTE = 1 / 60.0;

    private RelayStatus status() {
        return journal().admin().relays().get(0);
    }

    private double publishedInTheLastMinute() {
        return status().publishedPerSecond().orElseThrow() / ONE_A_MINUTE;
    }

    @Test
    void events_that_died_do_not_count_as_published() throws SQLException {
        RelaySession session = open();
        append("a1", "b1", "c1");
        settleAll(session, new Settlement.Dead("refused", true, false));
        session.close();

        assertThat(status().dead()).isEqualTo(3);
        assertThat(publishedInTheLastMinute()).isZero();
        assertThat(database.number("select count(*) from waybill.window_log"))
                .as("the log still says when the relay passed them")
                .isEqualTo(1);
    }

    @Test
    void parked_events_count_once_they_are_published() throws SQLException {
        RelaySession session = open();
        append("a1", "b1", "c1", "c2");
        Batch batch = session.claim(PLENTY).orElseThrow();
        Settlement retry = new Settlement.RetryAt(clock().instant().plusSeconds(1), "busy");
        session.settle(batch, List.of(Settlement.PUBLISHED, retry, retry, Settlement.BEHIND));
        session.close();
        assertThat(publishedInTheLastMinute()).isCloseTo(1, within(0.01));

        clock().advance(Duration.ofSeconds(2));
        assertThat(drain(open())).containsExactlyInAnyOrder("b1", "c1", "c2");
        closeAll();
        assertThat(publishedInTheLastMinute()).isCloseTo(4, within(0.01));
    }

    @Test
    void events_released_after_a_published_one_do_not_count() throws SQLException {
        RelaySession session = open();
        append("a1", "b1", "c1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        session.settle(batch, List.of(Settlement.PUBLISHED, Settlement.RELEASED, Settlement.RELEASED));
        session.close();

        assertThat(publishedInTheLastMinute()).isCloseTo(1, within(0.01));
    }

    /** Retries are written newest first and due newest first, so that no order but that of the numbers finds the oldest. */
    @ParameterizedTest
    @ValueSource(strings = {"due", "waiting"})
    void the_oldest_of_many_parked_events_is_found(String state) throws SQLException {
        open().close();
        int events = RelayStatus.COUNTED + 500;
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload, created_at)
                select 'n' || n, 'Thing', n::text, '{}', clock_timestamp() - (%d - n) * interval '1 minute'
                  from generate_series(1, %1$d) n""".formatted(events));
        drain(open());
        closeAll();
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, attempts, error, next_attempt_at)
                select 'relay', seq, id, '%1$s', 1, 'busy',
                       case '%1$s' when 'due' then timestamptz '2100-01-01' - seq * interval '1 second' end
                  from waybill.event order by seq desc""".formatted(state));
        database.execute("analyze waybill.parked");

        assertThat(status().parked()).isEqualTo(RelayStatus.COUNTED + 1);
        assertThat(status().oldestParked().orElseThrow().toMinutes()).isEqualTo(events - 1);
    }

    private static void settleAll(RelaySession session, Settlement as) {
        Batch batch = session.claim(PLENTY).orElseThrow();
        session.settle(batch, Collections.nCopies(batch.events().size(), as));
    }
}
