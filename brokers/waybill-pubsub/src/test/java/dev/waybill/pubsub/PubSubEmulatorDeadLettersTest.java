package dev.waybill.pubsub;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Google's emulator, where it is installed. It forgets everything when it is stopped. */
class PubSubEmulatorDeadLettersTest extends DeadLetterContract {
    @RegisterExtension
    private static final InstalledEmulator emulator = new InstalledEmulator();

    @Override
    protected DeadLetterHarness newDeadLetters() {
        return new PubSubSourceHarness(emulator.address(), emulator.topics(), Optional.empty());
    }
}
