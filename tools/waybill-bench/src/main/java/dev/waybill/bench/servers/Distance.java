package dev.waybill.bench.servers;

import dev.waybill.embedded.TcpProxy;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** Which server is far away. */
public enum Distance {
    NONE("direct"),
    DATABASE("database 5 ms away"),
    BROKER("broker 5 ms away");

    /** What a round trip takes longer. */
    static final Duration ROUND_TRIP = Duration.ofMillis(5);

    public final String label;

    Distance(String label) {
        this.label = label;
    }

    static TcpProxy link(String name, IntSupplier port, LongAdder roundTrips) {
        return new TcpProxy(name, port, new DelayedLink(ROUND_TRIP.dividedBy(2), roundTrips));
    }
}
