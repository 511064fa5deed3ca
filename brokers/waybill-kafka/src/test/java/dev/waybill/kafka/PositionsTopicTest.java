package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.published;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Finding.Severity;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.transaction.TransactionalWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.management.ObjectName;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The topic that keeps committed positions, in whatever state it is found. */
class PositionsTopicTest {
    @AutoClose
    private static final Broker broker = new Broker();

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final String id = "relay-" + UUID.randomUUID();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private KafkaDestination destination(String positions) {
        KafkaDestination destination = KafkaDestination.of(broker.options().positionsTopic(positions));
        opened.add(destination);
        return destination;
    }

    private static String compacted() throws Exception {
        String positions = broker.newTopic(Map.of("cleanup.policy", "compact"));
        Broker.eventually(() -> broker.exists(positions));
        return positions;
    }

    private TransactionalWriter writer(String positions, String of) {
        TransactionalWriter writer = destination(positions).openWriter(of);
        opened.add(writer);
        return writer;
    }

    @Test
    void it_is_created_compacted_with_one_partition() throws Exception {
        String positions = Broker.unusedTopic();
        assertThat(writer(positions, id).committed()).isEmpty();
        assertThat(broker.partitionsOf(positions)).isEqualTo(1);
        assertThat(broker.setting(positions, "cleanup.policy")).isEqualTo("compact");
    }

    @Test
    void one_that_is_not_compacted_is_refused() throws Exception {
        for (String policy : List.of("delete", "compact,delete")) {
            String deleting = broker.newTopic(Map.of("cleanup.policy", policy));
            Broker.eventually(() -> broker.exists(deleting));
            KafkaDestination destination = destination(deleting);
            assertThatThrownBy(() -> destination.openWriter(id))
                    .isInstanceOf(DestinationUnavailableException.class)
                    .hasMessageContaining(deleting)
                    .hasMessageContaining("set cleanup.policy=compact");
        }
    }

    @Test
    void one_that_is_deleted_while_a_relay_runs_is_created_again_for_the_next_writer() throws Exception {
        String positions = Broker.unusedTopic();
        String topic = broker.newTopic();
        KafkaDestination destination = destination(positions);
        TransactionalWriter first = destination.openWriter(id);
        first.commit("first");
        broker.delete(positions);
        Broker.eventually(() -> !broker.exists(positions));
        assertThat(published(first, List.of(letter(topic, "k", "1")))).containsOnly(DELIVERED);
        assertThatThrownBy(() -> first.commit("second")).isInstanceOf(DestinationUnavailableException.class);
        first.close();

        TransactionalWriter next = destination.openWriter(id);
        opened.add(next);
        assertThat(next.committed()).as("lost with the topic").isEmpty();
        assertThat(published(next, List.of(letter(topic, "k", "1")))).containsOnly(DELIVERED);
        next.commit("second");
        assertThat(broker.setting(positions, "cleanup.policy")).isEqualTo("compact");
        assertThat(broker.committedOn(topic)).hasSize(1);
    }

    @Test
    void a_position_that_an_operator_deleted_is_not_found() throws Exception {
        String positions = compacted();
        writer(positions, id).commit("first");
        OpenPosition.delete(broker, positions, id);
        assertThat(writer(positions, id).committed()).isEmpty();
    }

    @Test
    void more_partitions_move_no_position() throws Exception {
        String positions = compacted();
        writer(positions, id).commit("first");
        broker.addPartitions(positions, 7);
        TransactionalWriter next = writer(positions, id);
        assertThat(next.committed()).contains("first");
        next.commit("second");
        assertThat(writer(positions, id).committed()).contains("second");
    }

    @Test
    void a_position_is_found_behind_thousands_of_others() throws Exception {
        String positions = compacted();
        writer(positions, id).commit("found");
        OpenPosition.fill(broker, positions, 2_500);
        assertThat(writer(positions, id).committed()).contains("found");
    }

    @Test
    void an_open_transaction_of_another_writer_is_waited_for_and_then_told() throws Exception {
        String positions = compacted();
        writer(positions, id).commit("first");
        try (OpenPosition other = OpenPosition.on(broker, positions)) {
            KafkaDestination destination = destination(positions);
            assertThatThrownBy(() -> destination.openWriter(id))
                    .isInstanceOf(DestinationUnavailableException.class)
                    .hasMessageContaining("a transaction of another relay has been open");
            other.end();
            assertThat(writer(positions, id).committed()).contains("first");
        }
    }

    @Test
    void one_that_cannot_be_read_leaves_no_client_behind() throws Exception {
        String positions = compacted();
        writer(positions, id).commit("first");
        broker.rule(positions, AclOperation.DESCRIBE, AclPermissionType.ALLOW);
        broker.rule(positions, AclOperation.READ, AclPermissionType.DENY);
        KafkaDestination destination = destination(positions);
        int before = consumers();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> destination.openWriter(id))
                    .isInstanceOf(DestinationUnavailableException.class)
                    .hasMessageContaining(positions)
                    .hasMessageContaining("grant it Read, Write and Describe");
        }
        assertThat(consumers()).isEqualTo(before);
        broker.forgetRules(positions);
    }

    private static int consumers() throws Exception {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("kafka.consumer:type=app-info,*"), null)
                .size();
    }

    @Test
    void the_doctor_sees_whether_it_is_there_and_compacted_and_changes_nothing() throws Exception {
        String missing = Broker.unusedTopic();
        assertThat(examine(missing)).isEqualTo(Severity.WARNING);
        assertThat(KafkaCheckup.of(broker.options().positionsTopic(missing)).position(id))
                .isEmpty();
        assertThat(broker.exists(missing)).isFalse();
        String deleting = broker.newTopic(Map.of("cleanup.policy", "delete"));
        Broker.eventually(() -> broker.exists(deleting));
        assertThat(examine(deleting)).isEqualTo(Severity.PROBLEM);
        String positions = compacted();
        assertThat(examine(positions)).isEqualTo(Severity.FINE);

        KafkaCheckup checkup = KafkaCheckup.of(broker.options().positionsTopic(positions));
        assertThat(checkup.position(id)).isEmpty();
        TransactionalWriter writer = writer(positions, id);
        writer.commit("first");
        assertThat(checkup.position(id)).contains("first");
        writer.commit("second");
        assertThat(checkup.position(id)).as("the writer was not fenced").contains("second");
    }

    private static Severity examine(String positions) {
        return KafkaCheckup.of(broker.options().positionsTopic(positions))
                .examinePositions()
                .get(0)
                .severity();
    }

    @Test
    void events_are_refused_there_whether_they_are_sent_in_transactions_or_not() throws Exception {
        String positions = compacted();
        String topic = broker.newTopic();
        KafkaDestination destination = destination(positions);
        List<OutboundMessage> messages =
                List.of(letter(topic, "a", "1"), letter(positions, "relay", "forged"), letter(topic, "c", "3"));

        List<Delivery> plain = destination
                .publish(messages, new PublishLog().next())
                .toCompletableFuture()
                .get();
        assertThat(plain.get(0)).isEqualTo(DELIVERED);
        assertThat(plain.get(1)).isInstanceOf(Delivery.Refused.class);
        assertThat(plain.get(1).error()).contains(positions, "takes no events");
        assertThat(plain.get(2)).isEqualTo(DELIVERED);

        List<Delivery> inTransaction = published(writer(positions, id), messages);
        assertThat(inTransaction.get(0)).isEqualTo(DELIVERED);
        assertThat(inTransaction.get(1)).isInstanceOf(Delivery.Refused.class);
        assertThat(broker.committedOn(positions)).isEmpty();
    }
}
