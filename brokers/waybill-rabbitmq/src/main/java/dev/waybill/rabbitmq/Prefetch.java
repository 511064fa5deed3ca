package dev.waybill.rabbitmq;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How many messages of each queue RabbitMQ may have out to one source, with an eye on their bytes: AMQP counts messages only.
 * When those out have too many bytes together the subscription ends, and the next one begins with as many messages as would
 * have fitted. So large messages slow a consumer down instead of filling its memory.
 *
 * <p>When so few are out that many more would fit, it grows again, step by step, up to what was asked for. RabbitMQ takes a new
 * number only from a new consumer, and to cancel one would let another process go on with its keys too early: so that ends the
 * subscription, too. Growth that was too much makes the next one come later. Safe for many threads.
 */
final class Prefetch {
    /** Before it grows, after any change. */
    static final Duration FIRST_WAIT = Duration.ofSeconds(5);

    /** Growth that holds so long was right, whatever comes after it. */
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
     * Whether so much is too much. The largest message does not count: whoever sends one beyond the limit stops nobody with it,
     * and alone it has to come anyway.
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
        return count + " messages with " + bytes + " bytes were out, and at most " + mostBytes
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
        return Optional.of("the messages that are out have only " + bytes + " bytes; from now on " + messages
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
