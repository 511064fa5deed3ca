package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.published;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Kafka's producer may end a transaction without a record that was handed over at the same moment. Then messages are committed
 * without their position, and the next process publishes them again.
 */
class PositionBeforeCommitTest {
    @AutoClose
    private static final Broker broker = new Broker();

    private final List<Future<?>> sent = new ArrayList<>();
    private final List<Boolean> allAcknowledged = new ArrayList<>();

    @Test
    void everything_is_acknowledged_before_the_end_of_the_transaction_is_requested() throws Exception {
        String id = "relay-" + UUID.randomUUID();
        KafkaOptions options = broker.options().positionsTopic("positions-of-" + id);
        ClientProperties properties = new ClientProperties(options);
        KafkaErrors errors = new KafkaErrors(options.bootstrapServers());
        PositionsTopic positions = new PositionsTopic(options, properties, errors);
        positions.require();
        String topic = broker.newTopic();
        ProducerLife life = new ProducerLife(watched(new KafkaProducer<>(properties.transactional(id))), true);
        KafkaTransactions writer = new KafkaTransactions(
                id, life, positions, new TopicQuestions(properties, errors, Duration.ofSeconds(10)), errors);
        try {
            for (int i = 0; i < 50; i++) {
                assertThat(published(writer, List.of(letter(topic, "k", "message " + i))))
                        .containsOnly(DELIVERED);
                writer.commit("position " + i);
            }
        } finally {
            writer.close();
        }

        assertThat(sent).hasSize(100);
        assertThat(allAcknowledged).hasSize(50).containsOnly(true);
    }

    /** Notes at each commit whether all records before it were acknowledged. */
    @SuppressWarnings("unchecked")
    private Producer<byte[], byte[]> watched(Producer<byte[], byte[]> real) {
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Producer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commitTransaction")) {
                        allAcknowledged.add(sent.stream().allMatch(Future::isDone));
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("send")) {
                            sent.add((Future<RecordMetadata>) result);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
