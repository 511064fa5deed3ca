package dev.waybill.tck.destination;

import static dev.waybill.spi.Delivery.BEHIND;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.memory.InMemoryDestination;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InMemoryDestinationTest {
    private static final Retry RETRY = new Retry("told to");
    private final InMemoryDestination destination = new InMemoryDestination();
    private final Sender sender = new Sender(destination);

    @Test
    void held_acknowledgements_are_released_oldest_first() {
        destination.holdAcknowledgements();
        CompletableFuture<List<Delivery>> first = publish(message("t", "a", 1));
        CompletableFuture<List<Delivery>> second = publish(message("t", "a", 2));
        assertThat(destination.delivered("t")).hasSize(2);
        assertThat(destination.inFlight()).isEqualTo(2);
        assertThat(first).isNotDone();
        destination.release(1);
        assertThat(first).isCompletedWithValue(List.of(DELIVERED));
        assertThat(second).isNotDone();
        destination.releaseAll();
        assertThat(second).isCompletedWithValue(List.of(DELIVERED));
        assertThat(publish(message("t", "a", 3))).isCompletedWithValue(List.of(DELIVERED));
    }

    @Test
    void an_abort_loses_acknowledgements_and_not_what_has_arrived() {
        destination.holdAcknowledgements();
        CompletableFuture<List<Delivery>> lost = publish(message("t", "a", 1));
        destination.abort();
        assertThat(lost.join()).singleElement().isInstanceOf(Unavailable.class);
        assertThat(destination.delivered("t")).hasSize(1);
    }

    @Test
    void the_next_messages_of_a_topic_or_key_fail_as_told_and_no_more() {
        Refused refused = new Refused("told to");
        destination.failTopic("t", 2, refused);
        destination.failKey("Contract:b", 1, refused);
        assertThat(outcomes(
                        message("t", "a", 1),
                        message("u", "b", 1),
                        message("t", "a", 2),
                        message("t", "a", 3),
                        message("u", "b", 2)))
                .containsExactly(refused, refused, refused, DELIVERED, DELIVERED);
        assertThat(destination.delivered()).hasSize(2);
    }

    @Test
    void what_is_handed_over_before_the_relay_can_know_of_a_retry_stays_behind_it() {
        destination.holdAcknowledgements();
        destination.failKey("Contract:a", 1, RETRY);
        CompletableFuture<List<Delivery>> first = publish(message("t", "a", 1), message("t", "b", 1));
        CompletableFuture<List<Delivery>> second = publish(message("t", "a", 2));
        destination.releaseAll();
        CompletableFuture<List<Delivery>> third =
                sender.publishUnseeing(List.of(message("t", "a", 3))).toCompletableFuture();
        assertThat(first.join()).containsExactly(RETRY, DELIVERED);
        assertThat(second.join()).containsExactly(BEHIND);
        assertThat(third.join()).containsExactly(BEHIND);
        assertThat(outcomes(message("t", "a", 1), message("t", "a", 2))).containsExactly(DELIVERED, DELIVERED);
    }

    @Test
    void one_at_a_time_lets_followers_pass() {
        InMemoryDestination oneAtATime = new InMemoryDestination(KeyOrder.ONE_AT_A_TIME);
        oneAtATime.failKey("Contract:a", 1, RETRY);
        assertThat(new Sender(oneAtATime)
                        .publish(List.of(message("t", "a", 1), message("t", "a", 2)))
                        .toCompletableFuture())
                .isCompletedWithValue(List.of(RETRY, DELIVERED));
    }

    @Test
    void a_key_whose_first_message_was_given_up_goes_on_once_the_relay_has_seen_the_failure() {
        destination.failKey("Contract:a", 1, RETRY);
        assertThat(outcomes(message("t", "a", 1))).containsExactly(RETRY);
        assertThat(outcomes(message("t", "a", 2))).containsExactly(DELIVERED);
    }

    @Test
    void after_an_outage_a_publish_of_a_relay_that_does_not_know_of_it_is_unavailable() {
        destination.holdAcknowledgements();
        CompletableFuture<List<Delivery>> lost = publish(message("t", "a", 1));
        destination.goAway();
        destination.comeBack();
        assertThat(lost.join()).singleElement().isInstanceOf(Unavailable.class);
        assertThat(sender.publishUnseeing(List.of(message("t", "a", 2)))
                        .toCompletableFuture()
                        .join())
                .singleElement()
                .isInstanceOf(Unavailable.class);
        assertThat(destination.delivered("t")).hasSize(1);
    }

    private CompletableFuture<List<Delivery>> publish(OutboundMessage... batch) {
        return sender.publish(List.of(batch)).toCompletableFuture();
    }

    private List<Delivery> outcomes(OutboundMessage... batch) {
        return publish(batch).join();
    }

    private static OutboundMessage message(String topic, String aggregate, int count) {
        String id = aggregate + "#" + count;
        return SentMessage.of(topic, aggregate, id, id.getBytes(StandardCharsets.UTF_8));
    }
}
