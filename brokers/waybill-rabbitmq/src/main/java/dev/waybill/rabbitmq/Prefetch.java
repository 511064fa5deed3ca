package dev.waybill.rabbitmq;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The prefetch count of each queue, limited by the size of the messages: AMQP counts only messages. If the unacknowledged messages
 * are too large, the subscription ends, and the next one starts with as many messages as would have fitted. So large messages slow
 * a consumer down instead of filling its memory.
 *
 * <p>If many more would fit, the count grows again step by step, up to the configured number. RabbitMQ accepts a new count only
 * from a new consumer, and cancelling one would let another process continue with its keys too early, so growth ends the
 * subscription too. If it grew too much, the next growth is delayed. Safe for use by many threads.
 */
final class Prefetch {
    /** Minimum time between a change and the next growth. */
    static final Duration FIRST_WAIT = Duration.ofSeconds(5);

    /** A count that lasts this long after a growth was not too large. */
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
     * @param queues number of queues that share the bytes
     * @param asked configured number of messages of each queue
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
     * Whether the limit is exceeded. The largest message does not count, since a single message above the limit must be delivered
     * too.
     */
    synchronized boolean isTooMuch(long bytes, long largest) {
        return messages > 1 && bytes - largest > mostBytes;
    }

    /**
     * Reduces the count.
     *
     * @param count number of messages with these bytes together
     * @return a description of the change
     */
    synchronized String shrink(int count, long bytes) {
        int before = messages;
        if (grown) {
            boolean tooSoon = nanoTime.getAsLong() - changedAt < LASTING.toNanos();
            doublings = tooSoon ? Math.min(doublings + 1, MOST_DOUBLINGS) : 0;
        }
        changeTo((int) Math.max(1, Math.min(before / 2, fitting(count, bytes))), false);
        return count + " messages with " + bytes + " bytes were unacknowledged, but at most " + mostBytes
                + " are allowed; from now on " + messages + " messages of a queue are prefetched instead of "
                + before;
    }

    /**
     * Increases the count, if it is the limiting factor and more messages would fit.
     *
     * @param fullest largest number of unacknowledged messages of one queue
     * @param count unacknowledged messages of all queues, with these bytes together
     * @return a description of the change; empty if there is none
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
                + " messages of a queue are prefetched instead of " + before);
    }

    /** Count of each queue, if all have messages of this size. */
    private long fitting(int count, long bytes) {
        return mostBytes / Math.max(1, bytes / count) / queues;
    }

    private void changeTo(int number, boolean larger) {
        messages = number;
        grown = larger;
        changedAt = nanoTime.getAsLong();
    }
}
