package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Utf8;
import org.junit.jupiter.api.Test;

/** Ordinals 10, 20, 30 … are events of batches 1, 2, 3 … */
class ClosedKeysTest {
    private static final Utf8 A = Utf8.of("a");
    private static final Utf8 B = Utf8.of("b");

    private final ClosedKeys keys = new ClosedKeys();

    @Test
    void nothing_is_closed_at_first() {
        assertThat(keys.isEmpty()).isTrue();
        assertThat(keys.isClosedFor(A, 10, 1)).isFalse();
    }

    @Test
    void a_key_is_closed_for_later_events_of_its_own_only() {
        keys.close(A, 20, 2);

        assertThat(keys.isEmpty()).isFalse();
        assertThat(keys.isClosedFor(A, 21, 2)).isTrue();
        assertThat(keys.isClosedFor(A, 30, 3)).isTrue();
        assertThat(keys.isClosedFor(A, 20, 2)).as("the event itself").isFalse();
        assertThat(keys.isClosedFor(A, 10, 1)).as("an earlier one").isFalse();
        assertThat(keys.isClosedFor(B, 30, 3)).as("another key").isFalse();
    }

    @Test
    void the_earliest_event_that_closes_a_key_counts() {
        keys.close(A, 30, 3);
        keys.close(A, 10, 1);
        keys.close(A, 20, 2);

        assertThat(keys.isClosedFor(A, 10, 1)).isFalse();
        assertThat(keys.isClosedFor(A, 20, 2)).isTrue();
        assertThat(keys.isClosedFor(A, 30, 3)).isTrue();
    }

    @Test
    void from_the_settlement_on_the_store_handles_later_batches() {
        keys.close(A, 10, 1);
        keys.handOver(A, 10, 3);

        assertThat(keys.isClosedFor(A, 20, 2)).isTrue();
        assertThat(keys.isClosedFor(A, 30, 3)).isTrue();
        assertThat(keys.isClosedFor(A, 40, 4))
                .as("claimed after the settlement")
                .isFalse();
    }

    @Test
    void it_is_forgotten_when_the_last_batch_that_needed_it_is_settled() {
        keys.close(A, 10, 1);
        keys.close(B, 11, 1);
        keys.handOver(A, 10, 3);
        keys.settled(1);
        keys.settled(2);
        assertThat(keys.isClosedFor(A, 30, 3)).isTrue();

        keys.settled(3);
        assertThat(keys.isClosedFor(A, 30, 3)).isFalse();
        assertThat(keys.isClosedFor(B, 30, 3)).as("not handed over").isTrue();
        assertThat(keys.isEmpty()).isFalse();
        keys.handOver(B, 11, 3);
        keys.settled(3);
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void a_retry_that_fails_again_closes_its_key_again_while_the_first_closing_lasts() {
        keys.close(A, 10, 1);
        keys.handOver(A, 10, 3);
        keys.close(A, 40, 4);
        assertThat(keys.isClosedFor(A, 20, 2)).isTrue();
        assertThat(keys.isClosedFor(A, 50, 5)).isTrue();

        keys.settled(3);
        assertThat(keys.isClosedFor(A, 20, 2)).isFalse();
        assertThat(keys.isClosedFor(A, 50, 5)).isTrue();
    }

    @Test
    void an_event_that_goes_behind_another_does_not_close_its_key_a_second_time() {
        keys.close(A, 10, 1);
        keys.handOver(A, 10, 3);
        keys.close(A, 20, 2);

        assertThat(keys.isClosedFor(A, 40, 4)).as("the retry of the first").isFalse();
        keys.settled(3);
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void a_dead_event_that_does_not_hold_its_key_closes_it_until_one_behind_it_is_settled() {
        keys.close(A, 10, 1);
        keys.settled(1);
        assertThat(keys.isClosedFor(A, 20, 2)).isTrue();
        assertThat(keys.isClosedFor(A, 40, 4)).isTrue();

        keys.handOver(A, 20, 4);
        assertThat(keys.isClosedFor(A, 40, 4)).isTrue();
        assertThat(keys.isClosedFor(A, 50, 5)).isFalse();
    }

    @Test
    void a_dead_event_that_does_not_hold_its_key_and_has_no_follower_is_forgotten_when_it_is_settled() {
        keys.close(A, 10, 1);
        keys.close(B, 11, 1);
        keys.died(A, 10);

        assertThat(keys.isClosedFor(A, 20, 2)).isFalse();
        assertThat(keys.isClosedFor(B, 20, 2)).isTrue();
        assertThat(keys.size()).isOne();
    }

    @Test
    void a_dead_event_that_another_went_behind_keeps_its_key_closed_until_that_one_is_settled() {
        keys.close(A, 10, 1);
        assertThat(keys.goesBehind(A, 20, 2)).isTrue();
        keys.died(A, 10);
        assertThat(keys.isClosedFor(A, 40, 4)).isTrue();

        keys.handOver(A, 20, 4);
        keys.settled(4);
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void an_event_that_failed_first_is_parked_behind_an_earlier_one_that_failed_later() {
        keys.close(A, 20, 2);
        keys.close(A, 10, 1);
        keys.died(A, 10);

        assertThat(keys.isClosedFor(A, 20, 2)).isTrue();
        assertThat(keys.isClosedFor(A, 30, 3)).isTrue();
    }

    @Test
    void a_stream_of_exhausted_events_leaves_nothing_behind() {
        for (int batch = 1; batch <= 1_000; batch++) {
            Utf8 key = Utf8.of("k" + batch);
            keys.close(key, batch, batch);
            keys.died(key, batch);
            keys.settled(batch);
        }

        assertThat(keys.size()).isZero();
    }

    @Test
    void a_handover_by_an_earlier_event_has_no_effect() {
        keys.close(A, 20, 2);
        keys.handOver(A, 10, 3);

        assertThat(keys.isClosedFor(A, 40, 4)).isTrue();
    }

    @Test
    void clearing_forgets_everything() {
        keys.close(A, 10, 1);
        keys.handOver(A, 10, 3);
        keys.close(B, 11, 1);
        keys.clear();

        assertThat(keys.isEmpty()).isTrue();
        keys.settled(3);
        assertThat(keys.isClosedFor(B, 20, 2)).isFalse();
    }
}
