package dev.waybill.spring.boot.run;

import dev.waybill.kafka.KafkaOptions;
import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.DestinationProperties.DestinationType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Kafka, over the connection of Spring Boot or over properties of a destination. */
final class KafkaBrokerType implements BrokerType {
    private final Optional<Connection> connection;

    KafkaBrokerType(Optional<Connection> connection) {
        this.connection = connection;
    }

    /**
     * Spring Boot's connection.
     *
     * @param producing properties of producers
     * @param consuming properties of consumers, without the group
     * @param objects properties that are not text
     */
    record Connection(Map<String, String> producing, Map<String, String> consuming, Map<String, Object> objects) {}

    @Override
    public DestinationType type() {
        return DestinationType.KAFKA;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public boolean isConnected() {
        return connection.isPresent();
    }

    /** A destination with servers of its own uses nothing of Spring Boot's connection. */
    @Override
    public Broker broker(DestinationProperties given) {
        boolean own = given.properties().containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
        if (!own && connection.isEmpty()) {
            throw new IllegalArgumentException(
                    "it has no properties.bootstrap.servers, and Spring Boot has no connection"
                            + " to Kafka: set it, or add the module spring-boot-kafka and set spring.kafka.bootstrap-servers");
        }
        Connection base = own ? new Connection(Map.of(), Map.of(), Map.of()) : connection.orElseThrow();
        Map<String, String> producing = new HashMap<>(base.producing());
        producing.putAll(given.properties());
        Map<String, String> consuming = new HashMap<>(base.consuming());
        given.properties().forEach((name, value) -> {
            if (isForConsumers(name)) {
                consuming.put(name, value);
            }
        });
        KafkaOptions options = new KafkaOptions(producing, given.deliveryTimeout(), given.topicTimeout())
                .objects(base.objects())
                .positionsTopic(given.positionsTopic());
        options.producerProperties(); // reports properties that are refused
        return new KafkaBroker(options, consuming);
    }

    /** Properties unknown to Kafka are passed on: a login module may read them. */
    private static boolean isForConsumers(String name) {
        return ConsumerConfig.configNames().contains(name)
                || !ProducerConfig.configNames().contains(name);
    }
}
