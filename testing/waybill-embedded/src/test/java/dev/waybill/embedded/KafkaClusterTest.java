package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of partitions that are away use a cluster in every check. */
@Tag("full")
class KafkaClusterTest {

    @Test
    void a_partition_has_no_leader_while_its_only_broker_is_stopped_and_the_others_have_theirs() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.start(3, Map.of());
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            NewTopic topic = new NewTopic("t", Map.of(0, List.of(1), 1, List.of(2), 2, List.of(3)));
            admin.createTopics(Set.of(topic)).all().get();
            awaitLeaders(admin, List.of(1, 2, 3));
            cluster.stopBroker(2);
            awaitLeaders(admin, List.of(1, -1, 3));
            cluster.restartBroker(2);
            awaitLeaders(admin, List.of(1, 2, 3));
        }
    }

    @Test
    void an_unknown_broker_cannot_be_stopped_and_the_message_names_the_known_ones() {
        try (KafkaCluster cluster = KafkaCluster.start(1, Map.of())) {
            assertThatThrownBy(() -> cluster.stopBroker(2)).hasMessageContaining("no broker 2: use 1 to 1");
        }
    }

    private static void awaitLeaders(Admin admin, List<Integer> expected) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!leaders(admin).equals(expected)) {
            assertThat(System.nanoTime())
                    .as("the leaders " + expected + " did not come")
                    .isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static List<Integer> leaders(Admin admin) throws Exception {
        TopicDescription topic =
                admin.describeTopics(Set.of("t")).allTopicNames().get().get("t");
        return topic.partitions().stream().map(KafkaClusterTest::leader).toList();
    }

    private static int leader(TopicPartitionInfo partition) {
        return partition.leader() == null ? -1 : partition.leader().id();
    }
}
