package dev.waybill.rabbitmq;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RabbitDeadLettersContractTest extends DeadLetterContract {
    private static Broker broker;
    private static AmqpProxy proxy;

    @BeforeAll
    static void start() {
        broker = Broker.start();
        proxy = new AmqpProxy(broker.server().port());
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            proxy.close();
            broker.close();
        }
    }

    @Override
    protected DeadLetterHarness newDeadLetters() {
        return new RabbitSourceHarness(broker, Map.of());
    }

    @Override
    protected DeadLetterHarness newImpatientDeadLetters() {
        return new RabbitSourceHarness(broker, Map.of(), proxy);
    }
}
