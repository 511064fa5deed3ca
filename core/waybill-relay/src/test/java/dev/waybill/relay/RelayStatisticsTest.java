package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.relay.RelayStatistics.State;
import dev.waybill.spi.Settlement;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelayStatisticsTest {
    private final RelayStatistics statistics = new RelayStatistics();

    @Test
    void at_first_nothing_has_happened() {
        assertThat(counts()).containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 0L);
        assertThat(statistics.state()).isEqualTo(new State(Phase.STOPPED, Optional.empty()));
    }

    @Test
    void settlements_are_counted_by_kind() {
        Settlement retry = new Settlement.RetryAt(Instant.EPOCH, "not now");
        Settlement dead = new Settlement.Dead("never", true, false);
        statistics.count(List.of(Settlement.PUBLISHED, retry, Settlement.BEHIND, dead, Settlement.RELEASED));
        statistics.count(
                List.of(Settlement.PUBLISHED, Settlement.PUBLISHED, Settlement.PUBLISHED, Settlement.PUBLISHED));
        statistics.count(List.of(retry, retry, retry, Settlement.BEHIND, Settlement.BEHIND, dead));
        statistics.count(
                Collections.nCopies(6, new Settlement.RetryAt(Instant.EPOCH, "its partition is unavailable", false)));
        assertThat(counts()).containsExactly(5L, 4L, 6L, 3L, 2L, 1L, 0L);
    }

    @Test
    void with_a_session_the_phase_is_running() {
        statistics.is(Phase.STANDING_BY, "another holds the lease");
        assertThat(statistics.state()).isEqualTo(new State(Phase.STANDING_BY, Optional.of("another holds the lease")));
        statistics.sessionOpened();
        assertThat(statistics.state()).isEqualTo(new State(Phase.RUNNING, Optional.empty()));
        assertThat(statistics.sessions()).isEqualTo(1);
    }

    @Test
    void repeats_add_up() {
        statistics.repeat(2);
        statistics.repeat(0);
        statistics.repeat(3);
        assertThat(statistics.repeats()).isEqualTo(5);
    }

    private List<Long> counts() {
        return List.of(
                statistics.published(),
                statistics.retried(),
                statistics.inDoubt(),
                statistics.behind(),
                statistics.dead(),
                statistics.released(),
                statistics.sessions());
    }
}
