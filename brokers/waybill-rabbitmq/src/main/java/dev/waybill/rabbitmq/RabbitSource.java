package dev.waybill.rabbitmq;

import dev.waybill.spi.MessageSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Messages of RabbitMQ's queues. Each is acknowledged separately; RabbitMQ redelivers the others when the connection ends.
 *
 * <p>The key of a message is its header {@link RabbitDestination#KEY_HEADER}, its topic is the queue. Keys keep their order as long
 * as one consumer at a time reads the queue: declare the queue with {@code x-single-active-consumer}.
 */
public final class RabbitSource implements MessageSource {
    /** Default number of unacknowledged messages of each queue. */
    public static final int PREFETCH = 1_000;
    /** Default number of unacknowledged bytes. */
    public static final long OUTSTANDING_BYTES = 64_000_000;
    /** The largest prefetch count AMQP allows. */
    private static final int MOST = 65_535;

    private final RabbitOptions options;
    private final List<String> queues;
    private final int messages;
    private final long bytes;
    private final Prefetch prefetch;

    private RabbitSource(RabbitOptions options, List<String> queues, int messages, long bytes) {
        this(options, queues, messages, bytes, System::nanoTime);
    }

    private RabbitSource(RabbitOptions options, List<String> queues, int messages, long bytes, LongSupplier nanoTime) {
        this.options = options;
        this.queues = queues;
        this.messages = messages;
        this.bytes = bytes;
        this.prefetch = new Prefetch(queues.size(), messages, bytes, nanoTime);
    }

    /**
     * @param options how to reach RabbitMQ, and what is declared when connecting; the rest is for sending
     */
    public static RabbitSource of(RabbitOptions options, List<String> queues) {
        if (queues.isEmpty() || queues.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "The RabbitMQ source has no queue or a blank queue name: give at least one queue.");
        }
        return new RabbitSource(options, List.copyOf(queues), PREFETCH, OUTSTANDING_BYTES);
    }

    /**
     * @param count maximum number of unacknowledged messages of each queue; at least as many as the consumer has workers, so that
     *     none is idle
     */
    public RabbitSource prefetch(int count) {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("prefetch is " + count + ": use 1 to " + MOST + ".");
        }
        return new RabbitSource(options, queues, count, bytes);
    }

    /**
     * @param count maximum size of unacknowledged messages, without the largest one. RabbitMQ counts only messages: if they exceed
     *     this size, the subscription ends, all of them are redelivered, and from then on this source prefetches fewer messages, but
     *     at least one; more again when they are small
     */
    public RabbitSource outstandingBytes(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("The limit of outstanding bytes is " + count + ": use 1 or more.");
        }
        return new RabbitSource(options, queues, messages, count);
    }

    /** @param nanoTime the monotonic clock */
    RabbitSource withClock(LongSupplier nanoTime) {
        return new RabbitSource(options, queues, messages, bytes, nanoTime);
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
