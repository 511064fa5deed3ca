package dev.waybill.tck.destination;

import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Delivered;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Part four: a broker outage counts against no message, and afterwards delivery continues in order. */
abstract class OutageContract extends RetryContract {
    /** A broker that has just come back may be too slow for the first attempt. */
    private static final int ATTEMPTS_AFTER_AN_OUTAGE = 5;

    @Test
    void while_the_broker_is_away_everything_is_unavailable_and_afterwards_it_works_again() {
        String topic = harness.newTopic();
        assertThat(post.publish(post.message(topic, "before"))).containsExactly(DELIVERED);
        Outage outage = RefusalContract.present(harness.outage(), "its broker taken away");
        outage.begin();
        List<OutboundMessage> messages = post.messages(topic, 30, 3);
        assertThat(Post.tally(Post.outcomes(post.send(messages)))).isEqualTo(Map.of("Unavailable", 30L));
        outage.end();
        harness.destination().abort();
        assertAllDelivered(30, Post.outcomes(post.send(messages)));
    }

    @Test
    void a_broker_that_was_never_there_is_unavailable_too() {
        String topic = harness.newTopic();
        Outage outage = RefusalContract.present(harness.outage(), "its broker taken away");
        outage.begin();
        assertThat(post.publish(post.message(topic, "k"))).singleElement().isInstanceOf(Unavailable.class);
        outage.end();
        harness.destination().abort();
        assertThat(post.publish(post.message(topic, "k"))).containsExactly(DELIVERED);
    }

    @Test
    void a_relay_that_does_not_abort_after_an_outage_is_answered_unavailable_once_more_at_most() {
        String topic = harness.newTopic();
        Outage outage = RefusalContract.present(harness.outage(), "its broker taken away");
        outage.begin();
        OutboundMessage message = post.message(topic, "k");
        assertThat(post.publish(message)).singleElement().isInstanceOf(Unavailable.class);
        outage.end();
        List<Delivery> outcomes = post.publish(message);
        if (!(outcomes.get(0) instanceof Delivered)) {
            assertThat(outcomes).singleElement().isInstanceOf(Unavailable.class);
            assertThat(post.publish(message)).containsExactly(DELIVERED);
        }
    }

    @Test
    void what_was_out_when_the_broker_went_is_sent_again_in_order() {
        String topic = harness.newTopic();
        assertThat(post.publish(post.message(topic, "before"))).containsExactly(DELIVERED);
        Outage outage = RefusalContract.present(harness.outage(), "its broker taken away");
        List<OutboundMessage> messages = post.messages(topic, 4000, 11);
        List<CompletionStage<List<Delivery>>> stages = new ArrayList<>();
        stages.addAll(post.publishInBatchesOf(50, messages.subList(0, 2000)));
        outage.begin();
        stages.addAll(post.publishInBatchesOf(50, messages.subList(2000, 4000)));
        int firstFailed = firstUnavailable(Post.outcomes(stages));
        outage.end();

        List<OutboundMessage> left = messages.subList(firstFailed, messages.size());
        for (int attempt = 1; attempt <= ATTEMPTS_AFTER_AN_OUTAGE && !left.isEmpty(); attempt++) {
            harness.destination().abort();
            List<Delivery> outcomes = Post.outcomes(post.publishInBatchesOf(50, left));
            left = left.subList(firstUnavailable(outcomes), left.size());
        }
        assertThat(left).isEmpty();
        assertFirstDeliveriesInOrder(topic, messages);
    }

    @Test
    void abort_ends_what_is_out_at_once_and_a_later_publish_starts_afresh() {
        String topic = harness.newTopic();
        List<OutboundMessage> messages = post.messages(topic, 3000, 11);
        List<CompletionStage<List<Delivery>>> stages = post.publishInBatchesOf(50, messages);
        harness.destination().abort();
        int firstFailed = firstUnavailable(Post.outcomes(stages));
        List<OutboundMessage> again = messages.subList(firstFailed, messages.size());
        assertAllDelivered(again.size(), Post.outcomes(post.publishInBatchesOf(50, again)));
        assertThat(post.publish(post.message(topic, "after"))).containsExactly(DELIVERED);
        assertFirstDeliveriesInOrder(topic, messages);
    }

    @Test
    void abort_with_nothing_out_does_nothing() {
        harness.destination().abort();
        harness.destination().abort();
        assertThat(post.publish(post.message(harness.newTopic(), "k"))).containsExactly(DELIVERED);
    }

    /** Every outcome is delivered or unavailable; the relay sends everything after the first failure again. */
    private static int firstUnavailable(List<Delivery> outcomes) {
        int first = outcomes.size();
        for (int i = outcomes.size() - 1; i >= 0; i--) {
            assertThat(outcomes.get(i)).isInstanceOfAny(Delivered.class, Unavailable.class);
            first = outcomes.get(i) instanceof Unavailable ? i : first;
        }
        return first;
    }

    private void assertFirstDeliveriesInOrder(String topic, List<OutboundMessage> messages) {
        Map<String, List<String>> received = Post.valuesByKey(harness.everythingOn(topic));
        Post.sentByKey(messages).forEach((key, sent) -> {
            List<String> firsts = new ArrayList<>(new LinkedHashSet<>(received.getOrDefault(key, List.of())));
            assertThat(firsts).as("first deliveries of %s", key).isEqualTo(sent);
        });
    }
}
