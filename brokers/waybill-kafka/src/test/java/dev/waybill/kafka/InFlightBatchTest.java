package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightBatchTest {
    @Test
    void a_batch_is_complete_when_those_who_wait_for_it_have_been_told() {
        InFlightBatch batch = new InFlightBatch(0, List.of(letter("topic", "key", "text")));
        List<Boolean> whileTold = new ArrayList<>();
        var unused = batch.outcomes().thenRun(() -> whileTold.add(batch.isComplete()));
        assertThat(batch.delivered(0)).isTrue();
        batch.complete();
        assertThat(whileTold).containsExactly(false);
        assertThat(batch.isComplete()).isTrue();
    }
}
