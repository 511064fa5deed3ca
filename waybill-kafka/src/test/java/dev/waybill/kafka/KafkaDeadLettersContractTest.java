package dev.waybill.kafka;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaDeadLettersContractTest extends DeadLetterContract {
    private static Broker broker;

    @BeforeAll
    static void start() {
        broker = new Broker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Override
    protected DeadLetterHarness newDeadLetters() {
        return new KafkaSourceHarness(broker);
    }
}
