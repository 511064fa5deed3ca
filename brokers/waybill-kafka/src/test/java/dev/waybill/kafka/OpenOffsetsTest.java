package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OpenOffsetsTest {
    private final OpenOffsets offsets = new OpenOffsets();

    @Test
    void nothing_is_committed_before_a_message_is_acknowledged() {
        assertThat(offsets.toCommit()).isEmpty();
        offsets.given(5);
        offsets.given(6);
        offsets.committed(5);
        assertThat(offsets.toCommit()).isEmpty();
    }

    @Test
    void offsets_are_committed_up_to_the_first_unacknowledged_message() {
        offsets.given(5);
        offsets.given(6);
        offsets.given(7);
        offsets.done(7);
        offsets.committed(5);
        assertThat(offsets.toCommit()).isEmpty();
        offsets.done(5);
        assertThat(offsets.toCommit()).isEqualTo(OptionalLong.of(6));
        offsets.done(6);
        assertThat(offsets.toCommit()).isEqualTo(OptionalLong.of(8));
        offsets.committed(8);
        assertThat(offsets.toCommit()).isEmpty();
    }

    @Test
    void offsets_may_have_holes() {
        offsets.given(5);
        offsets.given(9);
        offsets.done(9);
        offsets.done(5);
        assertThat(offsets.toCommit()).isEqualTo(OptionalLong.of(10));
    }
}
