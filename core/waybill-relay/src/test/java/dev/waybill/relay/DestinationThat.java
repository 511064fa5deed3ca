package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A destination that does something on the relay's thread with each publish. */
record DestinationThat(Destination delegate, Runnable does) implements Destination {
    @Override
    public Guarantees guarantees() {
        return delegate.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        CompletionStage<List<Delivery>> answers = delegate.publish(batch, seen);
        does.run();
        return answers;
    }

    @Override
    public void abort() {
        delegate.abort();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
