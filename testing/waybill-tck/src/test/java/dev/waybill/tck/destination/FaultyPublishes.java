package dev.waybill.tck.destination;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.memory.InMemoryDestination;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The in-memory broker with publishes that can fail: it is unavailable for one, or its acknowledgement is lost. */
final class FaultyPublishes implements Destination, FaultInjection {
    private final InMemoryDestination broker;
    private final Faults faults = new Faults();

    FaultyPublishes(InMemoryDestination broker) {
        this.broker = broker;
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.of(Failure.BEFORE, Failure.REPLY_LOST);
    }

    @Override
    public int openConnections() {
        return 0;
    }

    @Override
    public Guarantees guarantees() {
        return broker.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        Optional<Failure> failure = faults.next("publish");
        if (failure.isEmpty()) {
            return broker.publish(batch, seen);
        }
        if (failure.get() == Failure.BEFORE) {
            broker.goAway();
        } else {
            broker.holdAcknowledgements();
        }
        CompletionStage<List<Delivery>> stage = broker.publish(batch, seen);
        broker.goAway();
        broker.comeBack();
        broker.releaseAll();
        return stage;
    }

    @Override
    public void abort() {
        broker.abort();
    }

    @Override
    public void close() {
        broker.close();
    }
}
