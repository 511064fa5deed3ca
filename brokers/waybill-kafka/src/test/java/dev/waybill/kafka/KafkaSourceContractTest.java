package dev.waybill.kafka;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaSourceContractTest extends SourceContract {
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
    protected SourceHarness newSource() {
        return new KafkaSourceHarness(broker);
    }
}
