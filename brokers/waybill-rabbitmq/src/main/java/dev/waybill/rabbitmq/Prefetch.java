package dev.waybill.rabbitmq;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How many messages of each queue RabbitMQ may deliver ahead to one source, limited by their bytes: AMQP counts messages only.
 * When the unacknowledged ones have too many bytes the subscription ends, and the next one begins with as many messages as
 * would have fitted. So large messages slow a consumer down instead of filling its memory.
 *
 * <p>When many more would fit, it grows again, step by step, up to the configured number. RabbitMQ takes a new number only from a
 * new consumer, and cancelling one would let another process continue with its keys too early: so growth ends the subscription,
 * too. Growth that was too much delays the next one. Safe for many threads.
 */
final class Prefetch {
    /** Minimum time between a change and the next growth. */
    static final Duration FIRST_WAIT = Duration.ofSeconds(5);

    /** Growth that lasts this long counts as right. */
    static final Duration LASTING = Duration.ofMinutes(1);

    private static final int MOST_DOUBLINGS = 6;
    private static final int GROWTH = 8;

    private final int queues;
    private final int asked;
    private final long mostBytes;
    private final LongSupplier nanoTime;
    private int messages;
    private long changedAt;
    private boolean grown;
    private int doublings;

    /**
     * @param queues how many share the bytes
     * @param asked how many messages of each
     */
    Prefetch(int queues, int asked, long mostBytes, LongSupplier nanoTime) {
        this.queues = queues;
        this.asked = asked;
        this.messages = asked;
        this.mostBytes = mostBytes;
        this.nanoTime = nanoTime;
    }

    synchronized int messages() {
        return messages;
    }

    /**
     * Whether the limit is exceeded. The largest message does not count: one beyond the limit must not stop the consumer, since it
     * has to be delivered anyway.
     */
    synchronized boolean isTooMuch(long bytes, long largest) {
        return messages > 1 && bytes - largest > mostBytes;
    }

    /**
     * Makes it smaller.
     *
     * @param count how many messages had these bytes together
     * @return what happened, in words
     */
    synchronized String shrink(int count, long bytes) {
        int before = messages;
        if (grown) {
            boolean tooSoon = nanoTime.getAsLong() - changedAt < LASTING.toNanos();
            doublings = tooSoon ? Math.min(doublings + 1, MOST_DOUBLINGS) : 0;
        }
        changeTo((int) Math.max(1, Math.min(before / 2, fitting(count, bytes))), false);
        return count + " messages with " + bytes + " bytes were unacknowledged, and at most " + mostBytes
                + " bytes may be; from now on " + messages + " messages of a queue are taken ahead instead of "
                + before;
    }

    /**
     * Makes it larger, when it is what keeps more messages from coming and they would fit.
     *
     * @param fullest how many messages of one queue are out at most
     * @param count how many of all queues, with these bytes together
     * @return what happened, in words; nothing when nothing did
     */
    synchronized Optional<String> grow(int fullest, int count, long bytes) {
        int before = messages;
        long next = Math.min(Math.min(asked, (long) GROWTH * before), fitting(Math.max(1, count), bytes));
        boolean worthIt = next >= Math.min(asked, 2L * before);
        boolean longEnough = nanoTime.getAsLong() - changedAt
                >= FIRST_WAIT.multipliedBy(1L << doublings).toNanos();
        if (before >= asked || fullest < before || !worthIt || !longEnough) {
            return Optional.empty();
        }
        changeTo((int) next, true);
        return Optional.of("the unacknowledged messages have only " + bytes + " bytes; from now on " + messages
                + " messages of a queue are taken ahead instead of " + before);
    }

    /** Of each queue, when all have messages of this size. */
    private long fitting(int count, long bytes) {
        return mostBytes / Math.max(1, bytes / count) / queues;
    }

    private void changeTo(int number, boolean larger) {
        messages = number;
        grown = larger;
        changedAt = nanoTime.getAsLong();
    }
}
