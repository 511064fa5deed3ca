package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.tck.memory.InMemoryDestination;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A destination that breaks its contract as long as the test says; otherwise as the one behind it. */
final class StubbornDestination implements Destination {
    private final InMemoryDestination real;
    private final AtomicInteger publishes = new AtomicInteger();
    private final AtomicInteger aborts = new AtomicInteger();
    private volatile Supplier<CompletionStage<List<Delivery>>> instead = CompletableFuture::new;
    private volatile Runnable onAbort = () -> {};
    private volatile boolean cured;

    StubbornDestination(InMemoryDestination real) {
        this.real = real;
    }

    /** What a publish does; unless it is said, it never answers. */
    StubbornDestination publishing(Supplier<CompletionStage<List<Delivery>>> how) {
        instead = how;
        return this;
    }

    /** What an abort does; unless it is said, nothing. */
    StubbornDestination aborting(Runnable how) {
        onAbort = how;
        return this;
    }

    void cure() {
        cured = true;
    }

    int publishes() {
        return publishes.get();
    }

    int aborts() {
        return aborts.get();
    }

    @Override
    public Guarantees guarantees() {
        return real.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        publishes.incrementAndGet();
        return cured ? real.publish(batch, seen) : instead.get();
    }

    @Override
    public void abort() {
        aborts.incrementAndGet();
        if (!cured) {
            onAbort.run();
        }
    }

    @Override
    public void close() {}
}
