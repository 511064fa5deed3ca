package dev.waybill.example.polyshop.driver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Messages that nobody can read, as a broken tool writes them: among the events of services in Java, in Node.js and in Python. */
final class Garbage {
    static final String TEXT = "this is not JSON";

    /** The first is for order, payment and analytics, the second for order, notification and analytics. */
    static final List<String> TOPICS = List.of("inventory.stock.reserved.v1", "payment.payment.succeeded.v1");

    private Garbage() {}

    static void write(Shop shop) throws InterruptedException, ExecutionException {
        Map<String, Object> properties = Map.of("bootstrap.servers", shop.kafka.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            for (String topic : TOPICS) {
                producer.send(new ProducerRecord<>(topic, "garbage", TEXT)).get();
            }
        }
    }

    static byte[] bytes() {
        return TEXT.getBytes(StandardCharsets.UTF_8);
    }

    /** Topic and consumer of every dead letter that this must lead to. */
    static List<String> letters() {
        return TOPICS.stream().flatMap(Garbage::lettersOf).toList();
    }

    private static Stream<String> lettersOf(String topic) {
        return Arrays.stream(Service.values())
                .filter(service -> service.consumes().contains(topic))
                .map(service -> topic + ".dlt " + service.label);
    }
}
