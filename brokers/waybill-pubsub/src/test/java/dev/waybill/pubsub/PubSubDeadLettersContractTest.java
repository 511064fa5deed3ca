package dev.waybill.pubsub;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a server of our own, which can be taken away. */
class PubSubDeadLettersContractTest extends DeadLetterContract {
    private static PubSubServer server;
    private static Topics topics;

    @BeforeAll
    static void start() {
        server = new PubSubServer();
        topics = new Topics(server.address());
    }

    @AfterAll
    static void stop() {
        topics.close();
        server.close();
    }

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
