package dev.waybill.rabbitmq;

import dev.waybill.tck.source.SourceContract;
import dev.waybill.tck.source.SourceHarness;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

class RabbitSourceContractTest extends SourceContract {
    @RegisterExtension
    private static final Broker broker = new Broker();

    @Override
    protected SourceHarness newSource() {
        return new RabbitSourceHarness(broker, Map.of());
    }
}
