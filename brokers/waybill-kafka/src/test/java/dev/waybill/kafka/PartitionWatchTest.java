package dev.waybill.kafka;

import static dev.waybill.kafka.Cluster.keyOf;
import static dev.waybill.kafka.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.kafka.UnavailablePartitions.Outage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The judgement over partitions, with a clock that the test moves. */
class PartitionWatchTest {
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final List<String> TOPICS = List.of("a", "b", "c", "d");
    private static final TopicPartition QUIET = new TopicPartition("a", 1);

    private final ScriptedPartitions kafka = new ScriptedPartitions();
    private final UnavailablePartitions away = new UnavailablePartitions(kafka);
    private final PartitionWatch watch =
            new PartitionWatch(kafka, away, new KafkaErrors("here"), Duration.ofSeconds(30));
    private ProducerLife life = newLife();

    PartitionWatchTest() {
        TOPICS.forEach(kafka::topic);
    }

    @Test
    void a_forbidden_topic_does_not_keep_partitions_of_others_unavailable() {
        loseLeaderOfEach();
        kafka.fail("c", new TopicAuthorizationException(Set.of("c")));
        TOPICS.forEach(topic -> kafka.say(topic, 1, 2, 1));
        kafka.pass(LOOK);
        // A send to the forbidden topic is refused by the producer.
        assertThat(away.isEmpty()).isTrue();
    }

    @Test
    void only_a_topic_that_kafka_does_not_describe_stays_unavailable() {
        loseLeaderOfEach();
        kafka.fail("c", new TimeoutException("no answer"));
        TOPICS.forEach(topic -> kafka.say(topic, 1, 2, 1));
        kafka.pass(LOOK);
        assertThat(TOPICS)
                .allSatisfy(topic -> assertThat(away.answerFor(new TopicPartition(topic, 1)) != null)
                        .isEqualTo(topic.equals("c")));
    }

    @Test
    void a_forbidden_topic_does_not_hide_unavailable_partitions_of_others() {
        for (String topic : TOPICS) {
            kafka.say(topic, 1, -1, 0);
            send(topic, 1);
        }
        kafka.fail("c", new TopicAuthorizationException(Set.of("c")));
        assertThat(lookFor(Duration.ofSeconds(3)).keySet())
                .extracting(TopicPartition::topic)
                .containsExactlyInAnyOrder("a", "b", "d");
    }

    @Test
    void a_topic_without_any_leader_is_unavailable_if_another_has_one() {
        loseAllLeadersOf("a");
        send("a", 1);
        assertThat(lookFor(Duration.ofSeconds(3))).containsOnlyKeys(QUIET);
    }

    @Test
    void without_any_known_leader_no_single_partition_is_unavailable() {
        loseAllLeadersOf("a");
        send("a", 1);
        kafka.fail("b", new TimeoutException("no answer"));
        assertThat(lookFor(Duration.ofSeconds(3))).isEmpty();
        kafka.answer("b");
        TOPICS.forEach(this::loseAllLeadersOf);
        assertThat(lookFor(Duration.ofSeconds(3))).isEmpty();
    }

    private void loseAllLeadersOf(String topic) {
        for (int partition = 0; partition < 3; partition++) {
            kafka.say(topic, partition, -1, 0);
        }
    }

    @Test
    void a_partition_that_acknowledges_nothing_gets_more_time_with_every_trial_until_only_expiry_counts() {
        assertThat(untilSilent()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
        awaitTrial();
        assertThat(untilSilent()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(21));
        awaitTrial();
        assertThat(untilSilent()).isGreaterThan(Duration.ofMinutes(1));

        life.expired(QUIET);
        counter("a", 1).failed();
        assertThat(watch.findUnavailableNow(life)).containsOnlyKeys(QUIET);
    }

    @Test
    void a_partition_that_stays_slow_keeps_the_time_it_was_given() {
        untilSilent();
        awaitTrial();
        life = newLife();
        for (int i = 0; i < 100; i++) {
            send("a", 1);
            assertThat(lookWhileOthersWork(Duration.ofSeconds(15))).isEmpty();
            counter("a", 1).acknowledged();
        }
    }

    @Test
    void a_partition_that_was_without_a_leader_has_as_much_time_to_acknowledge_as_any_other() {
        loseLeaderOfEach();
        TOPICS.forEach(topic -> kafka.say(topic, 1, 2, 1));
        kafka.pass(LOOK);
        assertThat(untilSilent()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
    }

    @Test
    void a_partition_that_recovers_when_it_is_declared_unavailable_is_available_at_the_next_check() {
        kafka.say("a", 1, 1, 1);
        send("a", 1);
        assertThat(lookWhileOthersWork(Duration.ofSeconds(9))).isEmpty();
        kafka.say("a", 1, 1, 2);
        away.add(lookWhileOthersWork(Duration.ofSeconds(3)));
        assertThat(away.answerFor(QUIET)).isNotNull();
        kafka.pass(LOOK);
        assertThat(away.isEmpty()).isTrue();
    }

    @Test
    void a_pause_with_nothing_in_flight_does_not_count() {
        send("a", 1);
        counter("a", 1).acknowledged();
        lookFor(LOOK);
        kafka.pass(Duration.ofMinutes(1));
        send("a", 1);
        assertThat(lookWhileOthersWork(Duration.ofSeconds(9))).isEmpty();
    }

    /** How long a message may be in flight before its partition is unavailable; more than a minute means never. */
    private Duration untilSilent() {
        life = newLife();
        send("a", 1);
        long from = kafka.nanoTime();
        away.add(lookWhileOthersWork(Duration.ofMinutes(2)));
        return Duration.ofNanos(kafka.nanoTime() - from);
    }

    private Map<TopicPartition, Outage> lookWhileOthersWork(Duration time) {
        Map<TopicPartition, Outage> found = Map.of();
        for (Duration past = Duration.ZERO; past.compareTo(time) < 0 && found.isEmpty(); past = past.plus(LOOK)) {
            send("a", 0);
            counter("a", 0).acknowledged();
            found = lookFor(LOOK);
        }
        return found;
    }

    private void awaitTrial() {
        assertThat(away.answerFor(QUIET)).isNotNull();
        for (int i = 0; i < 1000 && !away.isEmpty(); i++) {
            kafka.pass(LOOK);
        }
        assertThat(away.isEmpty()).isTrue();
    }

    private void loseLeaderOfEach() {
        Map<TopicPartition, Outage> found = new HashMap<>();
        for (String topic : TOPICS) {
            TopicPartition partition = new TopicPartition(topic, 1);
            kafka.say(topic, 1, -1, 0);
            PartitionInfo info = UnavailablePartitions.find(kafka.partitionsOf(topic), partition);
            found.put(
                    partition,
                    Outage.of(new KafkaErrors("here").partitionUnavailable(partition, "it has no leader"), info));
        }
        away.add(found);
    }

    private void send(String topic, int partition) {
        counter(topic, partition).sent();
    }

    private PartitionCounter counter(String topic, int partition) {
        return life.counters().of(letter(topic, keyOf(partition, 0), "text"));
    }

    /** Checks as often as the destination does, until a partition is unavailable or the time is over. */
    private Map<TopicPartition, Outage> lookFor(Duration time) {
        Map<TopicPartition, Outage> found = Map.of();
        for (Duration past = Duration.ZERO; past.compareTo(time) < 0 && found.isEmpty(); past = past.plus(LOOK)) {
            kafka.pass(LOOK);
            found = watch.findUnavailable(life);
        }
        return found;
    }

    private static ProducerLife newLife() {
        Node node = new Node(1, "localhost", 9000);
        Node[] nodes = {node};
        List<PartitionInfo> partitions = TOPICS.stream()
                .flatMap(topic -> List.of(0, 1, 2).stream().map(p -> new PartitionInfo(topic, p, node, nodes, nodes)))
                .toList();
        ByteArraySerializer bytes = new ByteArraySerializer();
        return new ProducerLife(
                new MockProducer<>(
                        new org.apache.kafka.common.Cluster("c", List.of(node), partitions, Set.of(), Set.of()),
                        false,
                        null,
                        bytes,
                        bytes),
                true);
    }
}
