package dev.waybill.kafka;

import dev.waybill.spi.Destination;
import dev.waybill.tck.destination.DestinationContract;
import dev.waybill.tck.destination.DestinationHarness;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaDestinationContractTest extends DestinationContract {
    private static Broker broker;

    @BeforeAll
    static void start() {
        broker = new Broker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Override
    protected DestinationHarness newDestination() {
        return new KafkaHarness(KafkaDestination.connect(broker.options()));
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
        public Optional<String> missingTopic() {
            return Optional.of(Broker.unusedTopic());
        }

        @Override
        public Optional<String> forbiddenTopic() {
            String topic = broker.newTopic();
            broker.rule(topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW);
            return Optional.of(topic);
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(broker.outage());
        }

        @Override
        public void close() {
            broker.server().restartBroker();
            destination.close();
        }
    }
}
