package dev.waybill.rabbitmq;

/**
 * How many messages of each queue RabbitMQ may have out to one source, with an eye on their bytes: AMQP counts messages only.
 * When those out have too many bytes together the subscription ends, and the next one begins with as many messages as would
 * have fitted. So large messages slow a consumer down instead of filling its memory. Safe for many threads.
 */
final class Prefetch {
    private final long mostBytes;
    private int messages;

    Prefetch(int messages, long mostBytes) {
        this.messages = messages;
        this.mostBytes = mostBytes;
    }

    synchronized int messages() {
        return messages;
    }

    /** Whether so many bytes are too many. One message at a time is never too much: it could not come otherwise. */
    synchronized boolean isTooMuch(long bytes) {
        return messages > 1 && bytes > mostBytes;
    }

    /**
     * Makes it smaller.
     *
     * @param count how many messages had these bytes together
     * @return what happened, in words
     */
    synchronized String shrink(int count, long bytes) {
        int before = messages;
        long fit = mostBytes / Math.max(1, bytes / count);
        messages = (int) Math.max(1, Math.min(before / 2, fit));
        return count + " messages with " + bytes + " bytes were out, and at most " + mostBytes
                + " bytes may be; from now on " + messages + " messages of a queue are taken ahead instead of "
                + before;
    }
}
