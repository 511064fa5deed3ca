package dev.waybill.pubsub;

import dev.waybill.spi.Destination;
import dev.waybill.tck.destination.DestinationContract;
import dev.waybill.tck.destination.DestinationHarness;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Google's emulator, where it is installed. It forbids nothing and forgets everything when it is stopped. */
class PubSubEmulatorContractTest extends DestinationContract {
    @RegisterExtension
    private static final InstalledEmulator emulator = new InstalledEmulator();

    @Override
    protected DestinationHarness newDestination() {
        return new Harness(PubSubDestination.of(PubSubOptions.of(Topics.PROJECT).emulator(emulator.address())));
    }

    private record Harness(Destination destination) implements DestinationHarness {

        @Override
        public String newTopic() {
            return emulator.topics().create();
        }

        @Override
        public List<Received> everythingOn(String topic) {
            return emulator.topics().read(topic).stream().map(Topics::received).toList();
        }

        @Override
        public Optional<BadTopic> missingTopic() {
            return Optional.of(new BadTopic(Topics.unused(), Fate.REFUSED));
        }

        @Override
        public Optional<BadTopic> forbiddenTopic() {
            return Optional.empty();
        }

        @Override
        public Optional<Trouble> trouble() {
            return Optional.empty();
        }

        @Override
        public Optional<FaultInjection> faults() {
            return Optional.empty();
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.empty();
        }

        @Override
        public void close() {
            destination.close();
        }
    }
}
