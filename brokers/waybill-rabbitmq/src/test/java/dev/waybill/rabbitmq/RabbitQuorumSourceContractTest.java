package dev.waybill.rabbitmq;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quorum queues give messages back in another way than classic ones. */
@Tag("full")
class RabbitQuorumSourceContractTest extends SourceContract {
    @RegisterExtension
    private static final Broker broker = new Broker();

    @Override
    protected SourceHarness newSource() {
        return new RabbitSourceHarness(broker, Map.of("x-queue-type", "quorum"));
    }
}
