package dev.waybill.kafka;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;

class KafkaDeadLettersContractTest extends DeadLetterContract {
    @AutoClose
    private static final Broker broker = Broker.behindProxy();

    @Override
    protected DeadLetterHarness newDeadLetters() {
        return new KafkaSourceHarness(broker, Optional.of(broker.proxy()));
    }

    @Override
    protected int oneOf() {
        return 8;
    }
}
