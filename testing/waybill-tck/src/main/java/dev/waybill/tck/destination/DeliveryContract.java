package dev.waybill.tck.destination;

import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Guarantees.HeaderForm;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Received;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Part one: messages arrive unchanged and in order. */
abstract class DeliveryContract {
    @SuppressWarnings("NullAway.Init") // set before each test
    DestinationHarness harness;

    @SuppressWarnings("NullAway.Init") // set before each test
    Post post;

    /** A destination with an empty broker, for one test. */
    protected abstract DestinationHarness newDestination();

    @BeforeEach
    void begin() {
        harness = newDestination();
        post = new Post(harness.destination());
    }

    @AfterEach
    void end() {
        harness.close();
    }

    @Test
    void everything_arrives_once_and_in_order_per_key() {
        String topic = harness.newTopic();
        List<OutboundMessage> messages = post.messages(topic, 1000, 17);
        for (int from = 0; from < messages.size(); from += 100) {
            List<OutboundMessage> batch = messages.subList(from, from + 100);
            assertAllDelivered(100, Post.outcomes(post.send(batch)));
        }
        assertThat(Post.valuesByKey(harness.everythingOn(topic))).isEqualTo(Post.sentByKey(messages));
    }

    @Test
    void several_batches_in_flight_complete_and_keep_the_order_per_key() {
        String topic = harness.newTopic();
        List<OutboundMessage> messages = post.messages(topic, 5000, 7);
        List<CompletionStage<List<Delivery>>> stages = post.publishInBatchesOf(61, messages);
        assertAllDelivered(5000, Post.outcomes(stages));
        assertThat(Post.valuesByKey(harness.everythingOn(topic))).isEqualTo(Post.sentByKey(messages));
    }

    @Test
    void several_topics_in_one_batch_each_get_their_own() {
        List<OutboundMessage> messages = new ArrayList<>();
        List<String> topics = List.of(harness.newTopic(), harness.newTopic(), harness.newTopic());
        for (int i = 0; i < 300; i++) {
            String topic = topics.get(i % 3);
            messages.add(post.message(topic, topic + "-k" + i % 9));
        }
        assertAllDelivered(300, Post.outcomes(post.send(messages)));
        for (String topic : topics) {
            List<OutboundMessage> sent = messages.stream()
                    .filter(message -> message.topic().equals(topic))
                    .toList();
            assertThat(Post.valuesByKey(harness.everythingOn(topic))).isEqualTo(Post.sentByKey(sent));
        }
    }

    @Test
    void bytes_key_and_headers_arrive_unchanged() {
        String topic = harness.newTopic();
        List<Header> headers =
                new ArrayList<>(List.of(header("event-id", "1"), header("empty", ""), header("text", "é漢😀")));
        if (carriesBytes()) {
            headers.add(new Header("bytes", everyByte()));
        }
        OutboundMessage plain = post.message(topic, "k é漢😀");
        OutboundMessage message = new OutboundMessage(plain.event(), topic, plain.key(), everyByte(), headers);
        assertThat(post.publish(message)).containsExactly(DELIVERED);

        assertThat(harness.everythingOn(topic)).singleElement().satisfies(received -> {
            assertThat(received.key()).isEqualTo(message.key());
            assertThat(received.value()).isEqualTo(message.value());
            assertThat(received.headers())
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactlyInAnyOrderElementsOf(headers);
        });
    }

    @Test
    void a_header_that_cannot_be_carried_is_refused_and_its_neighbours_are_delivered() {
        assumeTrue(!carriesBytes(), "the destination carries any header");
        String topic = harness.newTopic();
        OutboundMessage before = post.message(topic, "k");
        OutboundMessage plain = post.message(topic, "k");
        OutboundMessage unfit = new OutboundMessage(
                plain.event(), topic, plain.key(), plain.value(), List.of(new Header("bytes", everyByte())));
        OutboundMessage after = post.message(topic, "k");
        List<Delivery> outcomes = post.publish(before, unfit, after);

        assertThat(outcomes.get(0)).isEqualTo(DELIVERED);
        assertThat(outcomes.get(1)).isInstanceOf(Refused.class);
        assertThat(outcomes.get(2)).isEqualTo(DELIVERED);
        assertThat(Post.valuesByKey(harness.everythingOn(topic))).isEqualTo(Post.sentByKey(List.of(before, after)));
    }

    @Test
    void a_message_may_have_no_key_and_no_bytes() {
        String topic = harness.newTopic();
        OutboundMessage plain = post.message(topic, "k");
        List<Header> headers = List.of(header("event-id", "1"));
        assertThat(post.publish(new OutboundMessage(plain.event(), topic, null, new byte[0], headers)))
                .containsExactly(DELIVERED);
        assertThat(harness.everythingOn(topic)).singleElement().satisfies(received -> {
            assertThat(received.key()).isNull();
            assertThat(received.value()).isEmpty();
        });
    }

    @Test
    void an_empty_batch_completes() {
        assertThat(post.publish()).isEmpty();
    }

    @Test
    void closing_delivers_what_it_was_given_and_takes_nothing_after() {
        String topic = harness.newTopic();
        List<OutboundMessage> messages = post.messages(topic, 200, 5);
        List<CompletionStage<List<Delivery>>> stages = post.publishInBatchesOf(20, messages);
        harness.destination().close();
        assertAllDelivered(200, Post.outcomes(stages));
        assertThat(post.publish(post.message(topic, "late"))).singleElement().isInstanceOf(Unavailable.class);
        harness.destination().close();
        harness.destination().abort();
        List<Received> received = harness.everythingOn(topic);
        assertThat(Post.valuesByKey(received)).isEqualTo(Post.sentByKey(messages));
    }

    static void assertAllDelivered(int count, List<Delivery> outcomes) {
        assertThat(Post.tally(outcomes)).isEqualTo(count == 0 ? Map.of() : Map.of("Delivered", (long) count));
    }

    private boolean carriesBytes() {
        return harness.destination().guarantees().headers() == HeaderForm.BYTES;
    }

    private static byte[] everyByte() {
        byte[] value = new byte[256];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) i;
        }
        return value;
    }

    private static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
