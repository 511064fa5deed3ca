package dev.waybill.pubsub;

import dev.waybill.spi.Destination;
import dev.waybill.tck.destination.DestinationContract;
import dev.waybill.tck.destination.DestinationHarness;
import dev.waybill.tck.faults.FaultInjection;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;

/** On a server of our own, which can fail. */
class PubSubDestinationContractTest extends DestinationContract {
    @AutoClose
    private static final PubSubServer server = new PubSubServer();

    private static final Topics topics = server.topics();

    @Override
    protected DestinationHarness newDestination() {
        return newDestination(Duration.ofSeconds(2));
    }

    @Override
    protected DestinationHarness newImpatientDestination() {
        return newDestination(Duration.ofSeconds(1));
    }

    private static DestinationHarness newDestination(Duration deliveryTimeout) {
        return new Harness(PubSubDestination.of(
                PubSubOptions.of(Topics.PROJECT).emulator(server.address()).deliveryTimeout(deliveryTimeout)));
    }

    private record Harness(Destination destination) implements DestinationHarness {

        @Override
        public String newTopic() {
            return topics.create();
        }

        @Override
        public List<Received> everythingOn(String topic) {
            return topics.read(topic).stream().map(Topics::received).toList();
        }

        @Override
        public Optional<BadTopic> missingTopic() {
            return Optional.of(new BadTopic(Topics.unused(), Fate.REFUSED));
        }

        @Override
        public Optional<BadTopic> forbiddenTopic() {
            String topic = topics.create();
            server.faults().topic(topic, Faults.ALWAYS, Status.PERMISSION_DENIED.withDescription("Not authorized."));
            return Optional.of(new BadTopic(topic, Fate.REFUSED));
        }

        @Override
        public Optional<Trouble> trouble() {
            String topic = topics.create();
            Faults.Fault fault = server.faults().topic(topic, Faults.ALWAYS, Status.FAILED_PRECONDITION);
            return Optional.of(new Trouble() {
                @Override
                public String topic() {
                    return topic;
                }

                @Override
                public void end() {
                    fault.mend();
                }
            });
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(server.outage());
        }

        @Override
        public Optional<FaultInjection> faults() {
            return Optional.of(server.failing());
        }

        @Override
        public void close() {
            server.restart();
            destination.close();
        }
    }
}
