package dev.waybill.pubsub;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;

/** On the test server, which can be stopped. */
class PubSubSourceContractTest extends SourceContract {
    @AutoClose
    private static final PubSubServer server = new PubSubServer();

    private static final Topics topics = server.topics();

    @Override
    protected SourceHarness newSource() {
        return new PubSubSourceHarness(server.address(), topics, Optional.of(server.outage()));
    }
}
