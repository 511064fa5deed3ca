package dev.waybill.pubsub;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;

/** On the test server, which can be stopped. */
class PubSubDeadLettersContractTest extends DeadLetterContract {
    @AutoClose
    private static final PubSubServer server = new PubSubServer();

    private static final Topics topics = server.topics();

    @Override
    protected DeadLetterHarness newDeadLetters() {
        return new PubSubSourceHarness(
                server.address(), topics, Optional.of(server.outage()), Optional.of(server.failingRequests()));
    }

    @Override
    protected int oneOf() {
        return 12;
    }
}
