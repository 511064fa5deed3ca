package dev.waybill.pubsub;

import dev.waybill.inbox.FailingConsumerContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;

class PubSubFailingCallsTest extends FailingConsumerContract {
    @AutoClose
    private static final PubSubServer server = new PubSubServer();

    private static final Topics topics = server.topics();

    @Override
    protected DeadLetterHarness newBroker() {
        return new PubSubSourceHarness(
                server.address(), topics, Optional.of(server.outage()), Optional.of(server.failingRequests()));
    }

    @Override
    protected int sample() {
        return 4;
    }
}
