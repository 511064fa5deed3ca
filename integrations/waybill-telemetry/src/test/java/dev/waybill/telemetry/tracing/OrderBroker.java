package dev.waybill.telemetry.tracing;

import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.rabbitmq.Topology;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Kafka or RabbitMQ, with a topic or queue for orders. */
record OrderBroker(String system, Destination destination, Destination deadLetters, MessageSource source)
        implements AutoCloseable {
    static final String TOPIC = "orders";

    static OrderBroker at(String address) {
        return address.startsWith("amqp:") ? rabbit(address) : kafka(address);
    }

    private static OrderBroker rabbit(String uri) {
        RabbitOptions options = RabbitOptions.of(uri).topology(Topology.NONE.queue(TOPIC, Map.of()));
        return new OrderBroker(
                "rabbitmq",
                RabbitDestination.of(options),
                RabbitDestination.of(options),
                RabbitSource.of(options, List.of(TOPIC)));
    }

    private static OrderBroker kafka(String servers) {
        Map<String, String> properties = Map.of("bootstrap.servers", servers);
        createTopic(properties);
        return new OrderBroker(
                "kafka",
                KafkaDestination.of(properties),
                KafkaDestination.of(properties),
                KafkaSource.of(properties, "stock", List.of(TOPIC)));
    }

    /** A topic that the broker creates by itself may not be there at the first attempt, which then is a span of its own. */
    private static void createTopic(Map<String, String> properties) {
        try (Admin admin = Admin.create(Map.copyOf(properties))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1)))
                    .all()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }
    }

    @Override
    public void close() {
        destination.close();
        deadLetters.close();
    }
}
