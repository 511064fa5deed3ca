package dev.waybill.kafka;

import static dev.waybill.kafka.Cluster.keyOf;
import static dev.waybill.kafka.Cluster.letters;
import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Behind;
import dev.waybill.spi.Delivery.Delivered;
import dev.waybill.spi.Delivery.InDoubt;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.Sender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One partition of several is unavailable, on three real brokers. */
class PartitionAwayTest {
    private static final int AWAY = 1;
    private static final int ITS_BROKER = 2;

    @AutoClose
    private static final Cluster cluster = new Cluster();

    private final List<Sender> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Sender::close);
        for (int broker = 1; broker <= 3; broker++) {
            cluster.brokers().restartBroker(broker);
        }
    }

    @Test
    void without_a_leader_its_messages_are_in_doubt_and_all_others_are_delivered_once() throws Exception {
        String topic = cluster.newTopic();
        Sender destination = connect(cluster.options());
        assertThat(outcomes(destination.publish(letters(topic, 0, 10)))).containsOnly(DELIVERED);
        cluster.brokers().stopBroker(ITS_BROKER);

        List<CompletionStage<List<Delivery>>> stages = new ArrayList<>();
        List<OutboundMessage> sent = new ArrayList<>();
        for (int batch = 1; batch <= 5; batch++) {
            List<OutboundMessage> letters = letters(topic, batch * 10, batch * 10 + 10);
            sent.addAll(letters);
            stages.add(destination.publish(letters));
        }
        List<Delivery> outcomes = new ArrayList<>();
        for (CompletionStage<List<Delivery>> stage : stages) {
            outcomes.addAll(outcomes(stage));
        }
        List<OutboundMessage> again = assertOnlyThatPartitionInDoubt(sent, outcomes);

        // It is known to be unavailable, so the answer comes without a wait.
        assertThat(outcomes(destination.publish(again.subList(0, 2)))).hasOnlyElementsOfType(InDoubt.class);
        List<OutboundMessage> others = letters(topic, 60, 70).stream()
                .filter(letter -> partitionOf(letter) != AWAY)
                .toList();
        assertThat(outcomes(destination.publish(others))).containsOnly(DELIVERED);

        cluster.brokers().restartBroker(ITS_BROKER);
        publishUntilDelivered(destination, again);
        sent.addAll(0, letters(topic, 0, 10));
        sent.addAll(others);
        assertThat(cluster.byKey(topic)).isEqualTo(textsByKey(sent));
    }

    @Test
    void a_partition_with_too_few_replicas_in_sync_is_in_doubt_and_the_others_are_delivered() throws Exception {
        String topic = cluster.newTopic(
                Map.of(0, List.of(1, 3), AWAY, List.of(1, ITS_BROKER), 2, List.of(3, 1)),
                Map.of("min.insync.replicas", "2"));
        Sender destination = connect(cluster.options());
        assertThat(outcomes(destination.publish(letters(topic, 0, 10)))).containsOnly(DELIVERED);
        cluster.brokers().stopBroker(ITS_BROKER);
        List<OutboundMessage> sent = letters(topic, 10, 20);
        List<OutboundMessage> again = assertOnlyThatPartitionInDoubt(sent, outcomes(destination.publish(sent)));
        cluster.brokers().restartBroker(ITS_BROKER);
        publishUntilDelivered(destination, again);
        sent.addAll(0, letters(topic, 0, 10));
        assertThat(cluster.byKey(topic)).isEqualTo(textsByKey(sent));
    }

    @Test
    void messages_behind_one_in_doubt_wait_until_the_relay_has_seen_it() throws Exception {
        String topic = cluster.newTopic();
        Sender destination = connect(cluster.options());
        assertThat(outcomes(destination.publish(letters(topic, 0, 1)))).containsOnly(DELIVERED);
        cluster.brokers().stopBroker(ITS_BROKER);
        String key = keyOf(AWAY, 0);
        OutboundMessage first = letter(topic, key, "first");
        CompletionStage<List<Delivery>> doubtful = destination.publish(List.of(first));
        assertThat(outcomes(doubtful)).hasOnlyElementsOfType(InDoubt.class);
        cluster.brokers().restartBroker(ITS_BROKER);
        // Whatever the destination knows of the partition by now, the relay has not seen the answer to the first.
        assertThat(outcomes(destination.publishUnseeing(List.of(letter(topic, key, "second")))))
                .singleElement()
                .isInstanceOf(Behind.class);
        publishUntilDelivered(destination, List.of(first));
        publishUntilDelivered(destination, List.of(letter(topic, key, "second")));
        assertThat(cluster.byKey(topic).get(key)).containsExactly(key + "/0", "first", "second");
    }

    @Test
    void a_topic_without_any_leader_is_in_doubt_and_other_topics_continue() throws Exception {
        String dead = cluster.newTopic(
                Map.of(0, List.of(ITS_BROKER), 1, List.of(ITS_BROKER), 2, List.of(ITS_BROKER)), Map.of());
        String live = cluster.newTopic(Map.of(0, List.of(1), 1, List.of(3), 2, List.of(1)), Map.of());
        Sender destination = connect(cluster.options());
        assertThat(outcomes(destination.publish(letters(dead, 0, 1)))).containsOnly(DELIVERED);
        cluster.brokers().stopBroker(ITS_BROKER);
        // Nothing else is in flight, so only the brokers can tell that the other topic works.
        assertThat(outcomes(destination.publish(letters(dead, 1, 2)))).hasOnlyElementsOfType(InDoubt.class);
        assertThat(outcomes(destination.publish(letters(live, 0, 10)))).containsOnly(DELIVERED);
    }

    @Test
    void without_brokers_kafka_is_unavailable_as_a_whole() throws Exception {
        String topic = cluster.newTopic();
        Sender destination = connect(cluster.options());
        assertThat(outcomes(destination.publish(letters(topic, 0, 1)))).containsOnly(DELIVERED);
        for (int broker = 1; broker <= 3; broker++) {
            cluster.brokers().stopBroker(broker);
        }
        assertThat(outcomes(destination.publish(letters(topic, 1, 10)))).hasOnlyElementsOfType(Unavailable.class);
    }

    @Test
    void where_the_producer_chooses_the_partition_one_that_expires_is_in_doubt_and_the_rest_is_delivered()
            throws Exception {
        String topic = cluster.newTopic();
        Map<String, String> properties = new HashMap<>(cluster.options().properties());
        properties.put("partitioner.class", LastDigitPartitioner.class.getName());
        Sender destination = connect(KafkaOptions.of(properties).deliveryTimeout(Duration.ofSeconds(3)));
        List<OutboundMessage> before =
                List.of(letter(topic, "0", "a"), letter(topic, "1", "b"), letter(topic, "2", "c"));
        assertThat(outcomes(destination.publish(before))).containsOnly(DELIVERED);
        cluster.brokers().stopBroker(ITS_BROKER);
        List<OutboundMessage> after =
                List.of(letter(topic, "0", "d"), letter(topic, "1", "e"), letter(topic, "2", "f"));
        List<Delivery> outcomes = outcomes(destination.publish(after));
        assertThat(outcomes.get(0)).isEqualTo(DELIVERED);
        assertThat(outcomes.get(1)).isInstanceOf(InDoubt.class);
        assertThat(outcomes.get(2)).isEqualTo(DELIVERED);
        cluster.brokers().restartBroker(ITS_BROKER);
        publishUntilDelivered(destination, List.of(after.get(1)));
        assertThat(cluster.byKey(topic))
                .isEqualTo(Map.of("0", List.of("a", "d"), "1", List.of("b", "e"), "2", List.of("c", "f")));
    }

    /** Returns the messages that were in doubt or behind, in order. */
    private static List<OutboundMessage> assertOnlyThatPartitionInDoubt(
            List<OutboundMessage> sent, List<Delivery> outcomes) {
        List<OutboundMessage> inDoubt = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < sent.size(); i++) {
            OutboundMessage letter = sent.get(i);
            if (partitionOf(letter) != AWAY) {
                assertThat(outcomes.get(i)).isInstanceOf(Delivered.class);
            } else {
                assertThat(outcomes.get(i)).isInstanceOf(keys.add(key(letter)) ? InDoubt.class : Behind.class);
                inDoubt.add(letter);
            }
        }
        return inDoubt;
    }

    /** As a relay does: the first of each key alone until it is delivered, then those behind it. */
    private static void publishUntilDelivered(Sender destination, List<OutboundMessage> letters) throws Exception {
        for (OutboundMessage letter : letters) {
            Broker.eventually(
                    () -> outcomes(destination.publish(List.of(letter))).equals(List.of(DELIVERED)));
        }
    }

    private static int partitionOf(OutboundMessage letter) {
        for (int partition = 0; partition < 3; partition++) {
            if (key(letter).equals(keyOf(partition, 0)) || key(letter).equals(keyOf(partition, 1))) {
                return partition;
            }
        }
        throw new AssertionError("The key " + key(letter) + " is none of the test's.");
    }

    private static String key(OutboundMessage letter) {
        return new String(letter.key(), StandardCharsets.UTF_8);
    }

    private static Map<String, List<String>> textsByKey(List<OutboundMessage> letters) {
        Map<String, List<String>> texts = new HashMap<>();
        for (OutboundMessage letter : letters) {
            texts.computeIfAbsent(key(letter), k -> new ArrayList<>())
                    .add(new String(letter.value(), StandardCharsets.UTF_8));
        }
        return texts;
    }

    private Sender connect(KafkaOptions options) {
        Sender destination = new Sender(KafkaDestination.of(options));
        opened.add(destination);
        return destination;
    }
}
