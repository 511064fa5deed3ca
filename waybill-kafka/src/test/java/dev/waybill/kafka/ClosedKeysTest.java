package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Utf8;
import org.junit.jupiter.api.Test;

class ClosedKeysTest {
    private static final Utf8 KEY = Utf8.of("k");
    private static final Utf8 HEAD = Utf8.of("1");
    private static final Utf8 FOLLOWER = Utf8.of("2");
    private final ClosedKeys keys = new ClosedKeys();

    @Test
    void followers_stay_behind_and_other_keys_do_not() {
        keys.close(KEY, HEAD, 7);
        assertThat(keys.holdsBack(KEY, FOLLOWER)).isTrue();
        assertThat(keys.holdsBack(Utf8.of("other"), FOLLOWER)).isFalse();
    }

    @Test
    void the_head_when_it_comes_again_opens_its_key() {
        keys.close(KEY, HEAD, 7);
        keys.close(KEY, FOLLOWER, 8);
        assertThat(keys.holdsBack(KEY, HEAD)).isFalse();
        assertThat(keys.holdsBack(KEY, FOLLOWER)).isFalse();
        assertThat(keys.isEmpty()).isTrue();
    }

    @Test
    void a_key_is_open_once_the_relay_has_seen_the_last_answer() {
        keys.close(KEY, HEAD, 7);
        keys.close(KEY, FOLLOWER, 8);
        keys.relayHasSeenBatchesBelow(8);
        assertThat(keys.holdsBack(KEY, Utf8.of("3"))).isTrue();
        keys.relayHasSeenBatchesBelow(9);
        assertThat(keys.holdsBack(KEY, Utf8.of("3"))).isFalse();
    }
}
