package dev.waybill.rabbitmq;

import dev.waybill.tck.source.DeadLetterContract;
import dev.waybill.tck.source.DeadLetterHarness;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;

class RabbitDeadLettersContractTest extends DeadLetterContract {
    @RegisterExtension
    private static final Broker broker = new Broker();

    @AutoClose
    private static final AmqpProxy proxy = new AmqpProxy(broker);

    @Override
    protected DeadLetterHarness newDeadLetters() {
        return new RabbitSourceHarness(broker, Map.of());
    }

    @Override
    protected DeadLetterHarness newImpatientDeadLetters() {
        return new RabbitSourceHarness(broker, Map.of(), proxy);
    }
}
