package dev.waybill.rabbitmq;

import dev.waybill.inbox.FailingConsumerContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;

class RabbitFailingCallsTest extends FailingConsumerContract {
    @RegisterExtension
    private static final Broker broker = new Broker();

    @AutoClose
    private static final AmqpProxy proxy = new AmqpProxy(broker);

    @Override
    protected DeadLetterHarness newBroker() {
        return new RabbitSourceHarness(broker, Map.of(), proxy);
    }

    @Override
    protected int sample() {
        return 9;
    }
}
