package dev.waybill.kafka;

import dev.waybill.inbox.FailingConsumerContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;

class KafkaFailingCallsTest extends FailingConsumerContract {
    @AutoClose
    private static final Broker broker = Broker.behindProxy();

    @Override
    protected DeadLetterHarness newBroker() {
        return new KafkaSourceHarness(broker, Optional.of(broker.proxy()));
    }

    @Override
    protected int sample() {
        return 3;
    }
}
