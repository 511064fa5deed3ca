package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Another process's connection to the same broker. An abort aborts the messages of both. */
record OtherConnection(Destination broker) implements Destination {
    @Override
    public Guarantees guarantees() {
        return broker.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return broker.publish(batch, seen);
    }

    @Override
    public void abort() {
        broker.abort();
    }

    @Override
    public void close() {}
}
