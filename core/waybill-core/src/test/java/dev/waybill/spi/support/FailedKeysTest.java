package dev.waybill.spi.support;

import static dev.waybill.spi.support.Published.batch;
import static dev.waybill.spi.support.Published.place;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Seen;
import dev.waybill.spi.support.InFlightBatch.Place;
import org.junit.jupiter.api.Test;

class FailedKeysTest {
    private final FailedKeys keys = new FailedKeys();

    @Test
    void messages_behind_an_unseen_failure_are_held_back() {
        keys.add(place("k", 7, 5));
        assertThat(keys.holdsBack(place("k", 8, 7))).isTrue();
        assertThat(keys.holdsBack(place("other", 8, 7))).isFalse();
    }

    @Test
    void messages_published_after_the_failure_was_seen_are_sent() {
        keys.add(place("k", 7, 5));
        assertThat(keys.holdsBack(place("k", 8, 8))).isFalse();
    }

    @Test
    void later_messages_of_the_same_batch_are_held_back() {
        InFlightBatch batch = batch(7, 7, "k", "other", "k");
        keys.add(new Place(batch, 0));
        assertThat(keys.holdsBack(new Place(batch, 1))).isFalse();
        assertThat(keys.holdsBack(new Place(batch, 2))).isTrue();
    }

    @Test
    void messages_published_before_the_failure_are_not_held_back() {
        keys.add(place("k", 8, 5));
        assertThat(keys.holdsBack(place("k", 7, 5))).isFalse();
        keys.add(place("k", 7, 5));
        assertThat(keys.holdsBack(place("k", 6, 5))).isFalse();
        assertThat(keys.holdsBack(place("k", 9, 5))).isTrue();
    }

    /** The first failure was seen and given up; the next message was held back, and nothing may pass it either. */
    @Test
    void a_held_back_message_holds_back_later_ones_until_its_answer_is_seen() {
        keys.add(place("k", 7, 5));
        Place behind = place("k", 8, 7);
        assertThat(keys.holdsBack(behind)).isTrue();
        keys.add(behind);
        assertThat(keys.holdsBack(place("k", 9, 8))).isTrue();
        assertThat(keys.holdsBack(place("k", 10, 9))).isFalse();
    }

    /** Whichever of two failures is reported first, what follows the earlier one is held back. */
    @Test
    void of_two_failures_the_earlier_one_counts() {
        keys.add(place("k", 7, 5));
        keys.add(place("k", 9, 5));
        assertThat(keys.holdsBack(place("k", 8, 5))).isTrue();
    }

    @Test
    void failures_that_were_seen_are_forgotten() {
        keys.add(place("k", 7, 5));
        keys.forgetWhatWas(new Seen(8, 7));
        assertThat(keys.isEmpty()).isFalse();
        keys.forgetWhatWas(new Seen(9, 8));
        assertThat(keys.isEmpty()).isTrue();
    }
}
