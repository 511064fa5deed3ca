package dev.waybill.rabbitmq;

import dev.waybill.spi.Destination;
import dev.waybill.tck.destination.DestinationContract;
import dev.waybill.tck.destination.DestinationHarness;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RabbitDestinationContractTest extends DestinationContract {
    private static final String FORBIDDEN = "forbidden.topic";
    private static Broker broker;

    @BeforeAll
    static void start() {
        broker = Broker.start();
        broker.bind(FORBIDDEN, Broker.FORBIDDEN_EXCHANGE, Map.of());
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    protected DestinationHarness newDestination() {
        return new RabbitHarness(RabbitDestination.connect(
                broker.options().withExchangeByTopic(Map.of(FORBIDDEN, Broker.FORBIDDEN_EXCHANGE))));
    }

    private record RabbitHarness(Destination destination) implements DestinationHarness {

        @Override
        public String newTopic() {
            return broker.newTopic();
        }

        @Override
        public List<Received> everythingOn(String topic) {
            return broker.everythingOn(topic);
        }

        @Override
        public Optional<String> missingTopic() {
            return Optional.of(Broker.unusedTopic());
        }

        @Override
        public Optional<String> forbiddenTopic() {
            return Optional.of(FORBIDDEN);
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(broker.outage(broker::kill));
        }

        @Override
        public void close() {
            broker.bringBack();
            destination.close();
        }
    }
}
