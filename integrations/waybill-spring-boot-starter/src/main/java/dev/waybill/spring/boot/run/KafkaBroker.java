package dev.waybill.spring.boot.run;

import dev.waybill.format.HeaderStyle;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Kafka.
 *
 * @param consuming properties of consumers, without the group
 */
record KafkaBroker(KafkaOptions options, Map<String, String> consuming) implements Broker {
    @Override
    public String system() {
        return "kafka";
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.HYPHENS;
    }

    @Override
    public Destination connect() {
        return KafkaDestination.of(options);
    }

    @Override
    public MessageSource source(String consumer, List<String> topics) {
        return KafkaSource.of(reading(), consumer, topics);
    }

    @Override
    public OpenDeadLetters openDeadLetters() {
        KafkaDeadLetters letters = KafkaDeadLetters.of(reading(), options);
        return new OpenDeadLetters(letters, letters::close);
    }

    private Map<String, Object> reading() {
        Map<String, Object> properties = new HashMap<>(options.objects());
        properties.putAll(consuming);
        return properties;
    }

    /** Without the values of the properties: they may contain passwords. */
    @Override
    public String toString() {
        return "Kafka at " + options.properties().get("bootstrap.servers");
    }
}
