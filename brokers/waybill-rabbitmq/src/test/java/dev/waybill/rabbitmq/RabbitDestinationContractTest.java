package dev.waybill.rabbitmq;

import dev.waybill.spi.Destination;
import dev.waybill.tck.destination.DestinationContract;
import dev.waybill.tck.destination.DestinationHarness;
import dev.waybill.tck.faults.FaultInjection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class RabbitDestinationContractTest extends DestinationContract {
    private static final String FORBIDDEN = "forbidden.topic";

    @RegisterExtension
    private static final Broker broker = new Broker();

    @AutoClose
    private static final AmqpProxy proxy = new AmqpProxy(broker);

    @BeforeAll
    static void prepare() {
        broker.bind(FORBIDDEN, Broker.FORBIDDEN_EXCHANGE, Map.of());
    }

    @Override
    protected DestinationHarness newDestination() {
        return new RabbitHarness(
                RabbitDestination.of(broker.options().exchangeByTopic(Map.of(FORBIDDEN, Broker.FORBIDDEN_EXCHANGE))));
    }

    @Override
    protected DestinationHarness newImpatientDestination() {
        return new RabbitHarness(RabbitDestination.of(broker.options(proxy.port())
                .connectTimeout(Duration.ofMillis(500))
                .confirmTimeout(Duration.ofMillis(500))));
    }

    /** All of them take more than a minute; the full run has them. */
    @Override
    protected int oneOf() {
        return 4;
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
        public Optional<BadTopic> missingTopic() {
            return Optional.of(new BadTopic(Broker.unusedTopic(), Fate.REFUSED));
        }

        @Override
        public Optional<BadTopic> forbiddenTopic() {
            return Optional.of(new BadTopic(FORBIDDEN, Fate.WAITS));
        }

        @Override
        public Optional<Trouble> trouble() {
            return Optional.empty();
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(broker.outage(broker::kill));
        }

        @Override
        public Optional<FaultInjection> faults() {
            return Optional.of(proxy);
        }

        @Override
        public void close() {
            broker.bringBack();
            destination.close();
        }
    }
}
