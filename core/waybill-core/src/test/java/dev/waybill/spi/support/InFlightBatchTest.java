package dev.waybill.spi.support;

import static dev.waybill.spi.support.Published.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightBatchTest {
    private static final Retry RETRY = new Retry("not now");

    @Test
    void the_last_answer_says_that_the_batch_is_to_be_completed() {
        InFlightBatch batch = batch(1, 1, "a", "b", "c");
        assertThat(batch.answer(2, Delivery.DELIVERED)).isFalse();
        assertThat(batch.answer(0, RETRY)).isFalse();
        assertThat(batch.open()).isEqualTo(1);
        assertThat(batch.openPlaces()).containsExactly(new Place(batch, 1));
        assertThat(batch.answer(1, Delivery.DELIVERED)).isTrue();
        assertThat(batch.outcomes()).isNotDone();
        batch.complete();
        assertThat(batch.outcomes()).isCompletedWithValue(List.of(RETRY, Delivery.DELIVERED, Delivery.DELIVERED));
    }

    @Test
    void the_first_answer_to_a_message_counts() {
        InFlightBatch batch = batch(1, 1, "a", "b");
        assertThat(batch.answer(0, Delivery.DELIVERED)).isFalse();
        assertThat(batch.answer(0, RETRY)).isFalse();
        assertThat(batch.answer(1, RETRY)).isTrue();
        assertThat(batch.answer(1, Delivery.DELIVERED)).isFalse();
        batch.complete();
        assertThat(batch.outcomes()).isCompletedWithValue(List.of(Delivery.DELIVERED, RETRY));
    }

    @Test
    void an_empty_batch_is_complete() {
        assertThat(batch(1, 1).outcomes()).isCompletedWithValue(List.of());
    }
}
