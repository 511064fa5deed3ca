package dev.waybill.server.config;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.format.HeaderStyle;
import dev.waybill.kafka.KafkaCheckup;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.spi.Destination;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Kafka. */
final class KafkaType implements DestinationType {
    private static final Key<Map<String, String>> PROPERTIES = Key.required(
            "properties",
            new Texts("Kafka's own producer properties"),
            "Kafka's own producer properties, `bootstrap.servers` at least; TLS and credentials too. Those that the"
                    + " guarantees rest on are refused.");
    private static final Key<Duration> DELIVERY_TIMEOUT = Key.standard(
            "delivery-timeout",
            Scalars.DURATION,
            Durations.written(KafkaOptions.DELIVERY_TIMEOUT),
            "How long Kafka may take to acknowledge before it counts as unavailable.");
    private static final Key<Duration> TOPIC_TIMEOUT = Key.standard(
            "topic-timeout",
            Scalars.DURATION,
            Durations.written(KafkaOptions.TOPIC_TIMEOUT),
            "How long a topic is looked for before it counts as missing.");
    private static final Block BLOCK = Block.of(PROPERTIES, DELIVERY_TIMEOUT, TOPIC_TIMEOUT);

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String doc() {
        return "Apache Kafka.";
    }

    @Override
    public Block block() {
        return BLOCK;
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.HYPHENS;
    }

    @Override
    public Broker read(Section section) {
        KafkaOptions options =
                new KafkaOptions(section.get(PROPERTIES), section.get(DELIVERY_TIMEOUT), section.get(TOPIC_TIMEOUT));
        options.producerProperties();
        return new Kafka(options);
    }

    private record Kafka(KafkaOptions options) implements Broker {
        @Override
        public Destination connect() {
            return KafkaDestination.connect(options);
        }

        @Override
        public Optional<OpenDeadLetters> openDeadLetters() {
            KafkaDeadLetters letters = KafkaDeadLetters.connect(options.properties(), options);
            return Optional.of(new OpenDeadLetters(letters, letters::close));
        }

        @Override
        public BrokerCheckup checkup() {
            return KafkaCheckup.of(options);
        }
    }
}
