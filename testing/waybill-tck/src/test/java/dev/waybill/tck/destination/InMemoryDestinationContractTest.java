package dev.waybill.tck.destination;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.memory.InMemoryDestination;
import java.util.List;
import java.util.Optional;

class InMemoryDestinationContractTest extends DestinationContract {

    @Override
    protected DestinationHarness newDestination() {
        return new InMemoryDestinationHarness();
    }

    private static final class InMemoryDestinationHarness implements DestinationHarness {
        private final InMemoryDestination destination = new InMemoryDestination();
        private final FaultyPublishes faulty = new FaultyPublishes(destination);
        private int topics;

        @Override
        public Destination destination() {
            return faulty;
        }

        @Override
        public Optional<FaultInjection> faults() {
            return Optional.of(faulty);
        }

        @Override
        public String newTopic() {
            return "topic-" + ++topics;
        }

        @Override
        public List<Received> everythingOn(String topic) {
            return destination.delivered(topic).stream()
                    .map(message -> new Received(message.key(), message.value(), message.headers()))
                    .toList();
        }

        @Override
        public Optional<BadTopic> missingTopic() {
            destination.failTopic("missing", Integer.MAX_VALUE, new Delivery.Retry("topic missing does not exist"));
            return Optional.of(new BadTopic("missing", Fate.WAITS));
        }

        @Override
        public Optional<BadTopic> forbiddenTopic() {
            destination.failTopic("forbidden", Integer.MAX_VALUE, new Delivery.Refused("topic forbidden is forbidden"));
            return Optional.of(new BadTopic("forbidden", Fate.REFUSED));
        }

        @Override
        public Optional<Trouble> trouble() {
            String topic = newTopic();
            destination.failTopic(topic, Integer.MAX_VALUE, new Delivery.Retry("the topic is in trouble"));
            return Optional.of(new Trouble() {
                @Override
                public String topic() {
                    return topic;
                }

                @Override
                public void end() {
                    destination.forgetFaults();
                }
            });
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(new Outage() {
                @Override
                public void begin() {
                    destination.goAway();
                }

                @Override
                public void end() {
                    destination.comeBack();
                }
            });
        }

        @Override
        public void close() {
            destination.close();
        }
    }
}
