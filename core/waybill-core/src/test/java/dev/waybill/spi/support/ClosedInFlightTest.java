package dev.waybill.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClosedInFlightTest {
    private final ClosedInFlight<String, Batch> closed = new ClosedInFlight<>();

    /** Equal to others with the same keys. */
    private record Batch(List<String> keys) {
        static Batch of(String... keys) {
            return new Batch(List.of(keys));
        }

        Stream<String> all() {
            return keys.stream();
        }
    }

    private void close(String key, Batch... inFlight) {
        closed.close(Set.of(key), List.of(inFlight), Batch::all);
    }

    @Test
    void only_retries_events_behind_others_and_dead_ones_that_hold_close_their_keys() {
        List<Settlement> outcomes = List.of(
                Settlement.PUBLISHED,
                new Settlement.RetryAt(Instant.EPOCH, "failed"),
                Settlement.BEHIND,
                new Settlement.Dead("failed", true, false),
                new Settlement.Dead("failed", true, true),
                Settlement.RELEASED);
        assertThat(ClosedInFlight.closedBy(List.of(1, 2, 3, 4, 5, 6), outcomes, event -> "k" + event))
                .containsExactlyInAnyOrder("k2", "k3", "k5");
    }

    @Test
    void a_key_stays_closed_until_the_last_batch_with_an_event_of_it_is_settled() {
        Batch first = Batch.of("a", "b");
        Batch last = Batch.of("c", "a");
        close("a", first, last, Batch.of("c"));
        assertThat(closed.settled(first)).isFalse();
        assertThat(closed.keys()).containsExactly("a");
        assertThat(closed.settled(last)).isTrue();
        assertThat(closed.keys()).isEmpty();
    }

    @Test
    void a_key_without_events_in_flight_is_not_kept_closed() {
        close("a", Batch.of("b"));
        assertThat(closed.keys()).isEmpty();
    }

    @Test
    void an_equal_batch_does_not_open_the_keys_of_another() {
        close("a", Batch.of("a"));
        assertThat(closed.settled(Batch.of("a"))).isFalse();
        assertThat(closed.keys()).containsExactly("a");
    }

    @Test
    void nothing_is_closed_when_nothing_is_in_flight_any_more() {
        close("a", Batch.of("a"));
        closed.clear();
        assertThat(closed.keys()).isEmpty();
    }
}
