package dev.waybill.pubsub;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.HeaderForm;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.Sessions;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Google Pub/Sub. A message's key is its ordering key, its headers are attributes, its value is the unchanged body. Events of a
 * key are sent one request after the other, so they are published in order, to all topics; a subscription with message ordering
 * also delivers them in order.
 *
 * <p>A client is used until Pub/Sub is unavailable or the relay aborts ({@link PublishSession}, {@link Sessions}).
 */
public final class PubSubDestination implements Destination {
    private static final int THREADS = 4;

    private final PubSubOptions options;
    private final PubSubErrors errors;
    private final Suspects suspects = new Suspects();
    private final ScheduledThreadPoolExecutor threads;
    private final Sessions<PublishSession> sessions;

    private PubSubDestination(PubSubOptions options) {
        this.options = options;
        this.errors = new PubSubErrors(options.address());
        this.threads = ClientThreads.start(THREADS);
        this.sessions = new Sessions<>("Pub/Sub at " + options.address(), this::open);
    }

    /** Connects when the first event is published, so Pub/Sub need not be available yet. */
    public static PubSubDestination of(PubSubOptions options) {
        return new PubSubDestination(options);
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(
                KeyOrder.KEPT_IN_FLIGHT, PreparedMessage.MAX_BYTES - PreparedMessage.ENVELOPE_BYTES, HeaderForm.TEXT);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return sessions.publish(batch, seen);
    }

    private PublishSession open() {
        PublishSession opened = new PublishSession(options, errors, suspects, threads);
        opened.begin();
        return opened;
    }

    @Override
    public void abort() {
        sessions.abort();
    }

    @Override
    public void close() {
        sessions.close();
    }

    @Override
    public String toString() {
        return "Pub/Sub at " + options.address() + ", project " + options.project();
    }
}
