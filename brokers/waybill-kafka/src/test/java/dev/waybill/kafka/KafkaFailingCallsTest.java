package dev.waybill.kafka;

import dev.waybill.inbox.FailingConsumerContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaFailingCallsTest extends FailingConsumerContract {
    private static KafkaProxy proxy;
    private static Broker broker;

    @BeforeAll
    static void start() {
        proxy = new KafkaProxy();
        broker = new Broker(Map.of("advertised.listeners", "PLAINTEXT://" + proxy.address()));
        proxy.forwardTo(broker.server().bootstrapServers());
    }

    @AfterAll
    static void stop() {
        broker.close();
        proxy.close();
    }

    @Override
    protected DeadLetterHarness newBroker() {
        return new KafkaSourceHarness(broker, Optional.of(proxy));
    }

    @Override
    protected int sample() {
        return 3;
    }
}
