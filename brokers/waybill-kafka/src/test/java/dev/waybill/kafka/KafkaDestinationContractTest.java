package dev.waybill.kafka;

import dev.waybill.spi.Destination;
import dev.waybill.tck.destination.DestinationContract;
import dev.waybill.tck.destination.DestinationHarness;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.AutoClose;

class KafkaDestinationContractTest extends DestinationContract {
    @AutoClose
    private static final Broker broker = Broker.behindProxy();

    @Override
    protected DestinationHarness newDestination() {
        Map<String, String> properties =
                Map.of("bootstrap.servers", broker.server().bootstrapServers(), "request.timeout.ms", "700");
        KafkaOptions options = KafkaOptions.of(properties)
                .deliveryTimeout(broker.options().deliveryTimeout())
                .topicTimeout(broker.options().topicTimeout());
        return new KafkaHarness(KafkaDestination.of(options));
    }

    private record KafkaHarness(Destination destination) implements DestinationHarness {

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
            return Optional.of(new BadTopic(Broker.unusedTopic(), Fate.WAITS));
        }

        @Override
        public Optional<BadTopic> forbiddenTopic() {
            String topic = broker.newTopic();
            broker.rule(topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW);
            return Optional.of(new BadTopic(topic, Fate.REFUSED));
        }

        @Override
        public Optional<Trouble> trouble() {
            return Optional.empty();
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(broker.outage());
        }

        @Override
        public Optional<FaultInjection> faults() {
            return Optional.of(broker.proxy());
        }

        @Override
        public void close() {
            broker.server().restartBroker();
            destination.close();
        }
    }
}
