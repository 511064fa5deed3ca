package dev.waybill.spring.boot.run;

import dev.waybill.format.HeaderStyle;
import dev.waybill.rabbitmq.RabbitDeadLetters;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.List;

/** RabbitMQ. The topics of a consumer are its queues. */
record RabbitBroker(RabbitOptions options) implements Broker {
    @Override
    public String system() {
        return "rabbitmq";
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.HYPHENS;
    }

    @Override
    public Destination connect() {
        return RabbitDestination.of(options);
    }

    @Override
    public MessageSource source(String consumer, List<String> topics) {
        return RabbitSource.of(options, topics);
    }

    @Override
    public OpenDeadLetters openDeadLetters() {
        RabbitDeadLetters letters = RabbitDeadLetters.of(options);
        return new OpenDeadLetters(letters, letters::close);
    }
}
