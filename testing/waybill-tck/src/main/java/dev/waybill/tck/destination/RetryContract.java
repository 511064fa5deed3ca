package dev.waybill.tck.destination;

import static dev.waybill.spi.Delivery.BEHIND;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Behind;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.DestinationHarness.BadTopic;
import dev.waybill.tck.destination.DestinationHarness.Fate;
import dev.waybill.tck.destination.DestinationHarness.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Part three: after a failure no later message of the key overtakes it, and the key continues in order from the first
 * that failed.
 */
abstract class RetryContract extends RefusalContract {
    private static final int MOST_ROUNDS = 20;

    @Test
    void after_a_failure_all_later_ones_of_the_key_fail_and_other_keys_are_delivered() {
        Trouble trouble = troubleInFlight();
        String good = harness.newTopic();
        List<OutboundMessage> key = post.messages(trouble.topic(), 5, 1);
        CompletionStage<List<Delivery>> first =
                post.send(List.of(key.get(0), key.get(1), post.message(good, "other"), key.get(2)));
        CompletionStage<List<Delivery>> second =
                post.sendUnseeing(List.of(key.get(3), post.message(good, "another"), key.get(4)));

        List<Delivery> outcomes = new ArrayList<>(Post.outcomes(first));
        outcomes.addAll(Post.outcomes(second));
        assertThat(outcomes.remove(5)).isEqualTo(DELIVERED);
        assertThat(outcomes.remove(2)).isEqualTo(DELIVERED);
        assertThat(outcomes.get(0)).isInstanceOf(Retry.class);
        assertThat(outcomes).hasSize(5).allMatch(RetryContract::goesLater);
    }

    @Test
    void what_follows_to_a_topic_that_works_does_not_pass_either() {
        Trouble trouble = troubleInFlight();
        String good = harness.newTopic();
        OutboundMessage head = post.message(trouble.topic(), "k");
        OutboundMessage beside = post.message(good, "k");
        OutboundMessage unseen = post.message(good, "k");
        List<Delivery> outcomes = post.publish(head, beside);
        assertThat(outcomes.get(0)).isInstanceOf(Retry.class);
        assertThat(outcomes.get(1)).as("never sent, so not to blame").isEqualTo(BEHIND);
        assertThat(Post.outcomes(post.sendUnseeing(List.of(unseen))))
                .as("a relay publishes before it has seen the failure")
                .containsExactly(BEHIND);

        trouble.end();
        assertThat(post.publish(head)).containsExactly(DELIVERED);
        assertThat(post.publish(beside, unseen)).containsExactly(DELIVERED, DELIVERED);
        assertThat(Post.valuesByKey(harness.everythingOn(good))).isEqualTo(Post.sentByKey(List.of(beside, unseen)));
    }

    @Test
    void the_key_goes_on_in_order_from_the_first_that_failed() {
        Trouble trouble = troubleInFlight();
        List<OutboundMessage> key = post.messages(trouble.topic(), 30, 1);
        List<CompletionStage<List<Delivery>>> stages = post.publishInBatchesOf(7, key);
        assertThat(Post.outcomes(stages)).hasSize(30).allMatch(RetryContract::goesLater);

        trouble.end();
        assertThat(post.publish(key.get(0))).containsExactly(DELIVERED);
        assertAllDelivered(29, Post.outcomes(post.publishInBatchesOf(7, key.subList(1, 30))));
        assertThat(Post.valuesByKey(harness.everythingOn(trouble.topic()))).isEqualTo(Post.sentByKey(key));
    }

    @Test
    void a_key_that_goes_on_may_fail_again_and_again() {
        Trouble trouble = troubleInFlight();
        List<OutboundMessage> key = post.messages(trouble.topic(), 4, 1);
        for (int round = 0; round < 3; round++) {
            assertThat(Post.outcomes(post.send(key))).hasSize(4).allMatch(RetryContract::goesLater);
        }
        trouble.end();
        assertAllDelivered(4, Post.outcomes(post.send(key)));
        assertThat(Post.valuesByKey(harness.everythingOn(trouble.topic()))).isEqualTo(Post.sentByKey(key));
    }

    @Test
    void followers_of_a_refused_message_keep_their_order() {
        BadTopic forbidden = present(harness.forbiddenTopic(), "a forbidden topic");
        assumeTrue(forbidden.fate() == Fate.REFUSED, "the destination lets messages to a forbidden topic wait");
        String good = harness.newTopic();
        OutboundMessage refused = post.message(forbidden.name(), "k");
        List<OutboundMessage> behind =
                List.of(post.message(good, "k"), post.message(good, "k"), post.message(good, "k"));
        List<OutboundMessage> batch = new ArrayList<>(behind);
        batch.add(0, refused);
        List<Delivery> outcomes = Post.outcomes(post.send(batch));
        assertThat(error(forbidden, outcomes.get(0))).contains(forbidden.name());

        for (int round = 0; round < MOST_ROUNDS && !batch.isEmpty(); round++) {
            batch = toRetry(batch, outcomes);
            outcomes = Post.outcomes(post.send(batch));
            assertThat(outcomes).noneMatch(Refused.class::isInstance);
        }
        assertThat(Post.valuesByKey(harness.everythingOn(good))).isEqualTo(Post.sentByKey(behind));
    }

    private static boolean goesLater(Delivery outcome) {
        return outcome instanceof Retry || outcome instanceof Behind;
    }

    private static List<OutboundMessage> toRetry(List<OutboundMessage> batch, List<Delivery> outcomes) {
        List<OutboundMessage> again = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (goesLater(outcomes.get(i))) {
                again.add(batch.get(i));
            }
        }
        return again;
    }

    private Trouble troubleInFlight() {
        assumeTrue(
                harness.destination().guarantees().order() != KeyOrder.ONE_AT_A_TIME,
                "the destination has one of a key out at a time");
        return present(harness.trouble(), "a topic that fails for a while");
    }
}
