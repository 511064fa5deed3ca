package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.kafka.WaitingRoom.Place;
import dev.waybill.spi.Utf8;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosedKeysTest {
    private final ClosedKeys keys = new ClosedKeys();

    @Test
    void followers_stay_behind_and_other_keys_do_not() {
        keys.close(message("k", "1", 7));
        assertThat(keys.holdsBack(message("k", "2", 7))).isFalse();
        assertThat(keys.holdsBack(message("k", "2", 8))).isTrue();
        assertThat(keys.holdsBack(message("other", "2", 8))).isFalse();
    }

    @Test
    void the_head_when_it_comes_again_opens_its_key() {
        keys.close(message("k", "1", 7));
        keys.close(message("k", "2", 8));
        assertThat(keys.holdsBack(message("k", "1", 9))).isFalse();
        assertThat(keys.holdsBack(message("k", "2", 10))).isFalse();
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void a_key_is_open_once_the_relay_has_seen_the_last_answer() {
        keys.close(message("k", "1", 7));
        keys.close(message("k", "2", 8));
        keys.relayHasSeenBatchesBelow(8);
        assertThat(keys.holdsBack(message("k", "3", 9))).isTrue();
        keys.relayHasSeenBatchesBelow(9);
        assertThat(keys.holdsBack(message("k", "3", 10))).isFalse();
    }

    @Test
    void one_that_was_handed_over_earlier_is_not_behind_a_later_one() {
        keys.close(message("k", "3", 8));
        assertThat(keys.holdsBack(message("k", "2", 7))).isFalse();
        keys.close(message("k", "2", 7));
        assertThat(keys.holdsBack(message("k", "1", 6))).isFalse();
        assertThat(keys.holdsBack(message("k", "4", 9))).isTrue();
    }

    private static Place message(String key, String id, long batch) {
        return new Place(new InFlightBatch(batch, List.of(letter("topic", key, id))), 0, Utf8.of(key));
    }
}
