package dev.waybill.pubsub;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On Google's emulator, where it is installed. It forgets everything when it is stopped. */
class PubSubEmulatorSourceTest extends SourceContract {
    private static Optional<PubSubEmulator> emulator;
    private static Topics topics;

    @BeforeAll
    static void start() {
        emulator = PubSubEmulator.startIfInstalled();
        assumeTrue(emulator.isPresent(), "Google's Pub/Sub emulator is not installed here");
        topics = new Topics(emulator.get().address());
    }

    @AfterAll
    static void stop() {
        if (topics != null) {
            topics.close();
        }
        emulator.ifPresent(PubSubEmulator::close);
    }

    @Override
    protected SourceHarness newSource() {
        return new PubSubSourceHarness(emulator.orElseThrow().address(), topics, Optional.empty());
    }
}
