package dev.waybill.pubsub;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PubSubEmulator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Google's emulator for a test class, which is skipped where the emulator is not installed. */
final class InstalledEmulator implements BeforeAllCallback, AfterAllCallback {
    private Optional<PubSubEmulator> emulator = Optional.empty();
    private @Nullable Topics topics;

    @Override
    public void beforeAll(ExtensionContext context) {
        emulator = PubSubEmulator.startIfInstalled();
        assumeTrue(emulator.isPresent(), "Google's Pub/Sub emulator is not installed here");
        topics = new Topics(address());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (topics != null) {
            topics.close();
        }
        emulator.ifPresent(PubSubEmulator::close);
    }

    String address() {
        return emulator.orElseThrow().address();
    }

    Topics topics() {
        return Objects.requireNonNull(topics, "the emulator was not started");
    }
}
