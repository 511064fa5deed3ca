package dev.waybill.pubsub;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Google's emulator, where it is installed. It forgets everything when it is stopped. */
class PubSubEmulatorSourceTest extends SourceContract {
    @RegisterExtension
    private static final InstalledEmulator emulator = new InstalledEmulator();

    @Override
    protected SourceHarness newSource() {
        return new PubSubSourceHarness(emulator.address(), emulator.topics(), Optional.empty());
    }
}
