package dev.waybill.rabbitmq;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RabbitDeadLettersContractTest extends DeadLetterContract {
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
    protected DeadLetterHarness newDeadLetters() {
        return new RabbitSourceHarness(broker, Map.of());
    }
}
