package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaSourceBytesTest {
    private static final int PARTITIONS = 40;
    private static final int LARGE = 900_000;

    @Test
    void of_many_large_messages_only_some_megabytes_are_fetched_at_a_time() {
        try (Broker broker = new Broker()) {
            String topic = Broker.unusedTopic();
            broker.create(topic, PARTITIONS, Map.of());
            Map<String, Object> properties =
                    Map.of("bootstrap.servers", broker.server().bootstrapServers());
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    sent.add(producer.send(new ProducerRecord<>(topic, partition, null, new byte[LARGE])));
                }
            }
            assertThat(sent).allSatisfy(each -> assertThat(each.get().offset()).isZero());
            KafkaSource source = KafkaSource.of(
                    Map.of("bootstrap.servers", broker.server().bootstrapServers()), "group", List.of(topic));
            List<Long> polls = new ArrayList<>();
            try (Subscription subscription = source.subscribe((from, whose) -> {})) {
                while (polls.stream().mapToLong(Long::longValue).sum() < (long) PARTITIONS * LARGE) {
                    polls.add(subscription.poll(Duration.ofSeconds(1), 1_000).stream()
                            .mapToLong(InboundMessage::bytes)
                            .sum());
                }
            }
            assertThat(polls)
                    .allSatisfy(bytes -> assertThat(bytes).isLessThanOrEqualTo((long) KafkaSource.FETCH_BYTES + LARGE));
        }
    }
}
