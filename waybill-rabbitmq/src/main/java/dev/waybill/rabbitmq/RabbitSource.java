package dev.waybill.rabbitmq;

import dev.waybill.spi.MessageSource;
import java.util.List;

/**
 * Messages of RabbitMQ's queues. Each is acknowledged for itself; what is not when the connection ends RabbitMQ delivers again.
 *
 * <p>The key of a message is its header {@link RabbitDestination#KEY_HEADER}, its topic is the queue. Keys keep their order as long as one consumer at a time has the queue: ask for it with the queue's argument {@code
 * x-single-active-consumer}.
 */
public final class RabbitSource implements MessageSource {
    /** As many as a consumer holds unless told otherwise. */
    public static final int PREFETCH = 1_000;
    /** AMQP counts them in two bytes. */
    private static final int MOST = 65_535;

    private final RabbitOptions options;
    private final List<String> queues;
    private final int prefetch;

    private RabbitSource(RabbitOptions options, List<String> queues, int prefetch) {
        this.options = options;
        this.queues = queues;
        this.prefetch = prefetch;
    }

    /**
     * @param options how to reach RabbitMQ, and what is declared when connecting; the rest is for sending
     */
    public static RabbitSource of(RabbitOptions options, List<String> queues) {
        if (queues.isEmpty() || queues.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("A source in RabbitMQ needs at least one queue, each with a name.");
        }
        return new RabbitSource(options, List.copyOf(queues), PREFETCH);
    }

    /**
     * @param messages how many of each queue may be here unacknowledged: at least as many as a consumer's workers, or some
     *     stand idle
     */
    public RabbitSource withPrefetch(int messages) {
        if (messages < 1 || messages > MOST) {
            throw new IllegalArgumentException("prefetch is " + messages + ": use 1 to " + MOST + ".");
        }
        return new RabbitSource(options, queues, messages);
    }

    @Override
    public Subscription subscribe(Listener listener) {
        return RabbitSubscription.open(options, queues, prefetch, listener);
    }

    @Override
    public String toString() {
        return "RabbitSource" + queues;
    }
}
