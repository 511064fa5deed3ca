package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.Sender;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of {@link KafkaErrors} that a real broker can be made to show. */
class KafkaErrorsOnABrokerTest {
    @AutoClose
    private static final Broker broker = new Broker();

    private final List<Sender> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Sender::close);
    }

    @Test
    void too_large_for_the_topic_is_refused_and_its_neighbours_arrive_in_order() throws Exception {
        String topic = broker.newTopic(Map.of("max.message.bytes", "20000"));
        byte[] noise = new byte[50_000];
        new Random(7).nextBytes(noise);
        List<OutboundMessage> batch = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            boolean large = i % 10 == 5;
            batch.add(large ? letter(topic, "k", "large-" + i, noise) : letter(topic, "k", "small-" + i));
            if (!large) {
                expected.add("small-" + i);
            }
        }
        List<Delivery> outcomes = outcomes(connect().publish(batch));
        for (int i = 0; i < 100; i++) {
            assertThat(outcomes.get(i)).isInstanceOf(i % 10 == 5 ? Refused.class : Delivery.Delivered.class);
        }
        assertThat(outcomes.get(5).toString()).contains(topic, "RecordTooLargeException", "max.message.bytes");
        assertThat(broker.everythingOn(topic))
                .extracting(received -> new String(received.value(), StandardCharsets.UTF_8))
                .isEqualTo(expected);
    }

    @Test
    void too_large_for_this_client_is_refused_before_it_is_sent() throws Exception {
        String topic = broker.newTopic();
        assertThat(outcomes(connect().publish(List.of(letter(topic, "k", "large", new byte[1 << 20])))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.error()).contains("max.request.size"));
        assertThat(broker.everythingOn(topic)).isEmpty();
    }

    @Test
    void a_topic_without_describe_permission_is_retried_until_allowed() throws Exception {
        String topic = broker.newTopic();
        broker.rule(topic, AclOperation.ALL, AclPermissionType.DENY);
        Sender destination = connect();
        assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Retry.class,
                        retry -> assertThat(retry.error()).contains(topic, "forbidden", "grant it Write and Describe"));
        broker.forgetRules(topic);
        assertThat(outcomes(destination.publish(List.of(letter(broker.newTopic(), "other", "1")))))
                .containsExactly(DELIVERED);
        Broker.eventually(() ->
                outcomes(destination.publish(List.of(letter(topic, "k", "1")))).equals(List.of(DELIVERED)));
    }

    @Test
    void a_topic_without_write_permission_is_refused() throws Exception {
        String topic = broker.newTopic();
        broker.rule(topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW);
        assertThat(outcomes(connect().publish(List.of(letter(topic, "k", "1")))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.error()).contains(topic, "forbidden", "grant it Write"));
    }

    @Test
    void a_missing_topic_is_retried_until_it_is_created() throws Exception {
        String topic = Broker.unusedTopic();
        Sender destination = connect();
        OutboundMessage message = letter(topic, "k", "1");
        assertThat(outcomes(destination.publish(List.of(message))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Retry.class, retry -> assertThat(retry.error()).contains("topic " + topic + " does not exist"));
        broker.create(topic, Map.of());
        Broker.eventually(() -> outcomes(destination.publish(List.of(message))).equals(List.of(DELIVERED)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "é", ".", "slash/ed"})
    void an_invalid_topic_name_is_refused(String topic) throws Exception {
        assertThat(outcomes(connect().publish(List.of(letter(topic, "k", "1")))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.error()).contains("cannot be the name of a topic"));
    }

    @Test
    void a_topic_name_that_no_request_can_carry_is_refused_and_other_messages_are_sent() throws Exception {
        OutboundMessage hostile = letter("x".repeat(40_000), "k", "1");
        OutboundMessage good = letter(broker.newTopic(), "other", "2");
        List<Delivery> outcomes = outcomes(connect().publish(List.of(hostile, good)));
        assertThat(outcomes.get(0))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.error()).hasSizeLessThan(500));
        assertThat(outcomes.get(1)).isEqualTo(DELIVERED);
    }

    @Test
    void a_record_the_topic_cannot_hold_is_refused() throws Exception {
        String compacted = broker.newTopic(Map.of("cleanup.policy", "compact"));
        OutboundMessage message = letter(compacted, "k", "1");
        OutboundMessage withoutKey =
                new OutboundMessage(message.event(), compacted, null, message.value(), message.headers());
        assertThat(outcomes(connect().publish(List.of(withoutKey))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.error()).contains("InvalidRecordException"));
    }

    @Test
    void a_record_the_topic_cannot_hold_is_refused_and_those_of_its_producer_batch_arrive_once_in_order()
            throws Exception {
        String compacted = Broker.unusedTopic();
        broker.create(compacted, 1, Map.of("cleanup.policy", "compact"));
        Sender destination = connect();
        assertThat(outcomes(destination.publish(List.of(letter(compacted, "k", "first")))))
                .containsExactly(DELIVERED);
        List<OutboundMessage> batch = new ArrayList<>();
        List<String> expected = new ArrayList<>(List.of("first"));
        for (int i = 0; i < 1_000; i++) {
            OutboundMessage message = letter(compacted, "k" + i % 3, "m" + i);
            if (i % 400 == 7) {
                message = new OutboundMessage(message.event(), compacted, null, message.value(), message.headers());
            } else {
                expected.add("m" + i);
            }
            batch.add(message);
        }
        CompletionStage<List<Delivery>> stage = destination.publish(batch);
        CompletionStage<List<Delivery>> follower = destination.publish(List.of(letter(compacted, "k1", "last")));
        expected.add("last");

        List<Delivery> outcomes = outcomes(stage);
        for (int i = 0; i < 1_000; i++) {
            assertThat(outcomes.get(i))
                    .as("message " + i)
                    .isInstanceOf(i % 400 == 7 ? Refused.class : Delivery.Delivered.class);
        }
        assertThat(outcomes(follower)).containsExactly(DELIVERED);
        assertThat(broker.everythingOn(compacted))
                .extracting(received -> new String(received.value(), StandardCharsets.UTF_8))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void a_wrong_clock_makes_kafka_unavailable(int messages) throws Exception {
        String topic = Broker.unusedTopic();
        broker.create(topic, 1, Map.of());
        Map<String, String> properties = new HashMap<>(broker.options().properties());
        properties.put("interceptor.classes", ClockAhead.class.getName());
        List<OutboundMessage> batch = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            batch.add(letter(topic, "k", "m" + i));
        }
        assertThat(outcomes(connect(KafkaOptions.of(properties)).publish(batch)))
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Unavailable.class,
                                away -> assertThat(away.error()).contains("clock", "message.timestamp")));
    }

    @Test
    void a_topic_deleted_while_it_is_used_is_found_missing_after_the_delivery_timeout() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect();
        OutboundMessage first = letter(topic, "k", "1");
        assertThat(outcomes(destination.publish(List.of(first)))).containsExactly(DELIVERED);
        broker.delete(topic);
        Broker.eventually(() -> {
            Delivery outcome = outcomes(destination.publish(List.of(letter(topic, "k", "2"))))
                    .get(0);
            destination.abort();
            return outcome instanceof Retry;
        });
    }

    @Test
    void wrong_credentials_make_kafka_unavailable_and_are_not_shown() throws Exception {
        Map<String, String> properties = new HashMap<>(broker.options().properties());
        properties.put("security.protocol", "SASL_PLAINTEXT");
        properties.put("sasl.mechanism", "PLAIN");
        properties.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"me\" password=\"SECRET\";");
        Sender destination = connect(KafkaOptions.of(properties));
        assertThat(outcomes(destination.publish(List.of(letter("any", "k", "1")))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        away -> assertThat(away.error())
                                .contains("correct the credentials")
                                .doesNotContain("SECRET"));
    }

    private Sender connect() {
        return connect(broker.options());
    }

    private Sender connect(KafkaOptions options) {
        Sender destination = new Sender(KafkaDestination.of(options));
        opened.add(destination);
        return destination;
    }
}
