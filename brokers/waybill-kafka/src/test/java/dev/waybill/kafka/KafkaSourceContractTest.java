package dev.waybill.kafka;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import org.junit.jupiter.api.AutoClose;

class KafkaSourceContractTest extends SourceContract {
    @AutoClose
    private static final Broker broker = new Broker();

    @Override
    protected SourceHarness newSource() {
        return new KafkaSourceHarness(broker);
    }
}
