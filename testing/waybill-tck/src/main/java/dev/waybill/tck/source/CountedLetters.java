package dev.waybill.tck.source;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A destination of dead letters that calls the test between two attempts. */
public final class CountedLetters implements Destination {
    private final Destination real;
    private final IntConsumer before;
    private final AtomicInteger attempts = new AtomicInteger();

    /** @param before called before each attempt to send a letter, with its number, 1 for the first */
    public CountedLetters(Destination real, IntConsumer before) {
        this.real = real;
        this.before = before;
    }

    @Override
    public Guarantees guarantees() {
        return real.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        before.accept(attempts.incrementAndGet());
        return real.publish(batch, seen);
    }

    @Override
    public void abort() {
        real.abort();
    }

    @Override
    public void close() {
        real.close();
    }
}
