package dev.waybill.tck.destination;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Publishes to a destination as a relay does that takes in every answer as soon as it is there. */
public final class Sender implements AutoCloseable {
    private final Destination destination;
    private final PublishLog log = new PublishLog();
    private long seenBelow;

    public Sender(Destination destination) {
        this.destination = destination;
    }

    /** The stage completes after the answer is taken in. */
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch) {
        Seen seen = log.next();
        seenBelow = seen.below();
        return publish(batch, seen);
    }

    /** Publishes as a relay does that has taken in nothing since it last published. */
    public CompletionStage<List<Delivery>> publishUnseeing(List<OutboundMessage> batch) {
        return publish(batch, new Seen(log.next().number(), seenBelow));
    }

    private CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return destination.publish(batch, seen).thenApply(deliveries -> {
            log.takenIn(seen);
            return deliveries;
        });
    }

    public Guarantees guarantees() {
        return destination.guarantees();
    }

    public void abort() {
        destination.abort();
    }

    @Override
    public void close() {
        destination.close();
    }

    @Override
    public String toString() {
        return destination.toString();
    }
}
