package dev.waybill.tck.destination;

import static dev.waybill.spi.Delivery.BEHIND;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Delivered;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.DestinationHarness.BadTopic;
import dev.waybill.tck.destination.DestinationHarness.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Part two: an undeliverable message is reported, and only it and the messages behind it in its key wait. */
abstract class RefusalContract extends DeliveryContract {
    @Test
    void an_oversized_message_is_refused_and_its_neighbours_are_delivered() {
        String topic = harness.newTopic();
        List<OutboundMessage> batch = new ArrayList<>(post.messages(topic, 10, 3));
        int size = Math.toIntExact(harness.destination().guarantees().maxMessageBytes() + 1);
        batch.add(4, SentMessage.of(topic, "k0", "too-large", new byte[size]));
        List<Delivery> outcomes = new ArrayList<>(Post.outcomes(post.send(batch)));

        assertThat(outcomes.remove(4)).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.error()).isNotBlank();
            assertThat(refused.unfit()).isTrue();
        });
        assertAllDelivered(10, outcomes);
        batch.remove(4);
        assertThat(Post.valuesByKey(harness.everythingOn(topic))).isEqualTo(Post.sentByKey(batch));
    }

    @Test
    void the_outcomes_are_in_the_order_of_the_batch() {
        String topic = harness.newTopic();
        byte[] tooLarge =
                new byte[Math.toIntExact(harness.destination().guarantees().maxMessageBytes() + 1)];
        List<OutboundMessage> batch = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            batch.add(
                    i % 7 == 3 ? SentMessage.of(topic, "large", "large-" + i, tooLarge) : post.message(topic, "k" + i));
        }
        List<Delivery> outcomes = Post.outcomes(post.send(batch));
        for (int i = 0; i < 60; i++) {
            assertThat(outcomes.get(i)).as("outcome %d", i).isInstanceOf(i % 7 == 3 ? Refused.class : Delivered.class);
        }
    }

    @Test
    void of_a_missing_topic_only_its_own_messages_suffer() {
        onlyItsOwnMessagesSuffer(present(harness.missingTopic(), "a missing topic"));
    }

    @Test
    void of_a_forbidden_topic_only_its_own_messages_suffer() {
        onlyItsOwnMessagesSuffer(present(harness.forbiddenTopic(), "a forbidden topic"));
    }

    private void onlyItsOwnMessagesSuffer(BadTopic bad) {
        String good = harness.newTopic();
        List<OutboundMessage> delivered = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            List<OutboundMessage> batch = new ArrayList<>(post.messages(good, 20, 4));
            delivered.addAll(batch);
            batch.add(10, post.message(bad.name(), "bad-" + round));
            CompletionStage<List<Delivery>> mixed = post.send(batch);
            OutboundMessage neighbour = post.message(good, "neighbour");
            delivered.add(neighbour);
            assertThat(post.publish(neighbour)).containsExactly(DELIVERED);

            List<Delivery> outcomes = new ArrayList<>(Post.outcomes(mixed));
            assertThat(error(bad, outcomes.remove(10))).contains(bad.name());
            assertAllDelivered(20, outcomes);
        }
        assertThat(Post.valuesByKey(harness.everythingOn(good))).isEqualTo(Post.sentByKey(delivered));
    }

    @Test
    void nothing_of_a_key_passes_one_that_waits_for_its_retry() {
        assumeTrue(
                harness.destination().guarantees().order() != KeyOrder.ONE_AT_A_TIME,
                "the destination has one of a key out at a time");
        BadTopic bad = present(harness.missingTopic(), "a missing topic");
        assumeTrue(bad.fate() == Fate.WAITS, "the destination refuses messages to a missing topic");
        String good = harness.newTopic();
        OutboundMessage head = post.message(bad.name(), "k");
        OutboundMessage follower = post.message(good, "k");
        OutboundMessage next = post.message(good, "k");
        CompletionStage<List<Delivery>> first = post.send(List.of(head, follower, post.message(good, "other")));
        CompletionStage<List<Delivery>> second = post.sendUnseeing(List.of(next, post.message(good, "another")));

        List<Delivery> outcomes = Post.outcomes(first);
        assertThat(outcomes.get(0)).isInstanceOf(Retry.class);
        assertThat(outcomes.get(1)).isEqualTo(BEHIND);
        assertThat(outcomes.get(2)).isEqualTo(DELIVERED);
        assertThat(Post.outcomes(second).get(0)).isEqualTo(BEHIND);
        assertThat(Post.outcomes(second).get(1)).isEqualTo(DELIVERED);

        assertThat(post.publish(Post.redirected(head, good))).containsExactly(DELIVERED);
        assertThat(post.publish(follower, next)).containsExactly(DELIVERED, DELIVERED);
        assertThat(Post.valuesByKey(harness.everythingOn(good)).get("k"))
                .isEqualTo(Post.sentByKey(List.of(head, follower, next)).get("k"));
    }

    @Test
    void when_the_first_of_a_key_is_given_up_those_behind_it_go_on() {
        BadTopic bad = present(harness.missingTopic(), "a missing topic");
        String good = harness.newTopic();
        assertThat(error(bad, post.publish(post.message(bad.name(), "k")).get(0)))
                .contains(bad.name());
        assertThat(post.publish(post.message(good, "k"))).containsExactly(DELIVERED);
    }

    static <T> T present(Optional<T> ability, String words) {
        assumeTrue(ability.isPresent(), "the destination cannot have " + words);
        return ability.orElseThrow();
    }

    /** The reason why a message was not delivered; it must concern this message. */
    static String error(BadTopic bad, Delivery delivery) {
        return switch (bad.fate()) {
            case WAITS -> {
                assertThat(delivery).isInstanceOf(Retry.class);
                yield ((Retry) delivery).error();
            }
            case REFUSED -> {
                assertThat(delivery)
                        .isInstanceOfSatisfying(
                                Refused.class,
                                refused -> assertThat(refused.unfit())
                                        .as("the place is at fault")
                                        .isFalse());
                yield ((Refused) delivery).error();
            }
        };
    }
}
