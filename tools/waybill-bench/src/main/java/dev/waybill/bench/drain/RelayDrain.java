package dev.waybill.bench.drain;

import dev.waybill.bench.pipes.Contender;
import dev.waybill.format.Format;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The relay with its defaults; a new one for each drain. */
abstract class RelayDrain implements Contender {
    private final EventStore store;
    private final Destination destination;
    private final Drained drained;
    private @Nullable Relay relay;

    RelayDrain(EventStore store, Destination destination, Drained drained) {
        this.store = store;
        this.destination = destination;
        this.drained = drained;
    }

    /** How many events are sent, and how. */
    record Drained(Route route, Format format, int events) {}

    Relay start(RelayPlan plan) {
        return plan.start();
    }

    /** The name of the relay for the next drain. */
    abstract String relayName();

    @Override
    public final void drain() {
        RelayPlan plan = Relay.named(relayName())
                .from(store)
                .to(destination)
                .route(drained.route())
                .format(drained.format());
        relay = start(plan);
        while (relay.statistics().published() < drained.events()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void putAway() {
        if (relay != null) {
            relay.close();
        }
    }

    @Override
    public void close() {
        destination.close();
    }
}
