package dev.waybill.rabbitmq;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Quorum queues give messages back in another way than classic ones. */
@Tag("full")
class RabbitQuorumSourceContractTest extends SourceContract {
    private static Broker broker;

    @BeforeAll
    static void start() {
        broker = Broker.start();
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    protected SourceHarness newSource() {
        return new RabbitSourceHarness(broker, Map.of("x-queue-type", "quorum"));
    }
}
