package dev.waybill.server.config;

import dev.waybill.format.HeaderStyle;
import dev.waybill.kafka.KafkaCheckup;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import java.util.Set;

/** Kafka. */
final class KafkaType implements DestinationType {
    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String messagingSystem() {
        return "kafka";
    }

    @Override
    public boolean hasTransactions() {
        return true;
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.HYPHENS;
    }

    @Override
    public Broker read(Section section) {
        KafkaOptions options = new KafkaOptions(
                        section.texts("properties"),
                        section.duration("delivery-timeout"),
                        section.duration("topic-timeout"))
                .positionsTopic(section.text("positions-topic"));
        options.producerProperties(); // reports properties that are refused
        return new Broker(
                () -> KafkaDestination.of(options),
                () -> {
                    KafkaDeadLetters letters = KafkaDeadLetters.of(options.properties(), options);
                    return new OpenDeadLetters(letters, letters::close);
                },
                Set.copyOf(section.list("dead-letters")),
                () -> KafkaCheckup.of(options),
                true);
    }
}
