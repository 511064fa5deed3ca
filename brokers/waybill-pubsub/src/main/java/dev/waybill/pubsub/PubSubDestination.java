package dev.waybill.pubsub;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.HeaderForm;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Google Pub/Sub. A message's key is its ordering key, its headers are attributes, its value is the body as it is. Events of a
 * key are sent one request after the other, so they are published in order, to whatever topics; a subscription with message
 * ordering also delivers them so.
 *
 * <p>A client lives until Pub/Sub is unavailable or the relay aborts ({@link PublishSession}); the next publish has a new
 * one. After a failure that the relay may not have seen, a publish is answered Unavailable without being sent, for it
 * could hold followers of what has just failed.
 */
public final class PubSubDestination implements Destination {
    private static final int THREADS = 4;

    private final PubSubOptions options;
    private final PubSubErrors errors;
    private final Suspects suspects = new Suspects();
    private final ScheduledThreadPoolExecutor threads;
    private final AtomicReference<@Nullable PublishSession> session = new AtomicReference<>();
    private volatile boolean closed;

    private PubSubDestination(PubSubOptions options) {
        this.options = options;
        this.errors = new PubSubErrors(options.address());
        this.threads = ClientThreads.start(THREADS);
    }

    /** Connects when the first event is published, so Pub/Sub need not be there yet. */
    public static PubSubDestination of(PubSubOptions options) {
        return new PubSubDestination(options);
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.PREFIX, Letter.MAX_BYTES - Letter.ENVELOPE_BYTES, HeaderForm.TEXT);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch) {
        if (closed) {
            return unavailable(batch, closedByUs());
        }
        PublishSession current = session.get();
        if (current == null) {
            current = new PublishSession(options, errors, suspects, threads);
            current.begin();
            session.set(current);
        }
        Unavailable end = current.end();
        if (end == null) {
            return current.publish(batch);
        }
        // The relay takes in what is complete now before it publishes again.
        if (current.isComplete()) {
            session.compareAndSet(current, null);
        }
        return unavailable(batch, end);
    }

    @Override
    public void abort() {
        PublishSession current = session.getAndSet(null);
        if (current != null) {
            current.endBecause(new Unavailable("Pub/Sub at " + options.address()
                    + " had not acknowledged when the relay stopped publishing; the event is sent again"));
        }
    }

    @Override
    public void close() {
        closed = true;
        PublishSession current = session.getAndSet(null);
        if (current != null) {
            current.close(closedByUs(), options.deliveryTimeout());
        }
    }

    private Unavailable closedByUs() {
        return new Unavailable("the connection to Pub/Sub at " + options.address() + " is closed");
    }

    private static CompletionStage<List<Delivery>> unavailable(List<OutboundMessage> batch, Unavailable why) {
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), why));
    }

    @Override
    public String toString() {
        return "Pub/Sub at " + options.address() + ", project " + options.project();
    }
}
