package dev.waybill.rabbitmq;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Unacknowledged messages of one subscription, in number and bytes. Safe for many threads. */
final class Outstanding {
    private final Prefetch prefetch;
    private final Consumer<String> whenTooMuch;
    /** Number of messages of each size. */
    private final TreeMap<Long, Integer> sizes = new TreeMap<>();

    /** Number of messages of each queue. */
    private final Map<String, Integer> queues = new HashMap<>();

    private int messages;
    private long bytes;
    private boolean over;

    /** @param whenTooMuch called once with the reason why the subscription must end */
    Outstanding(Prefetch prefetch, Consumer<String> whenTooMuch) {
        this.prefetch = prefetch;
        this.whenTooMuch = whenTooMuch;
    }

    /**
     * @return false if it must be dropped: the subscription ends, and the message is delivered again
     */
    synchronized boolean add(String queue, long size) {
        if (over) {
            return false;
        }
        messages++;
        bytes += size;
        sizes.merge(size, 1, Integer::sum);
        queues.merge(queue, 1, Integer::sum);
        over = prefetch.isTooMuch(bytes, sizes.lastKey());
        if (over) {
            whenTooMuch.accept(prefetch.shrink(messages, bytes));
        }
        return !over;
    }

    synchronized void remove(String queue, long size) {
        messages--;
        bytes -= size;
        queues.merge(queue, -1, Integer::sum);
        sizes.computeIfPresent(size, (key, count) -> count == 1 ? null : count - 1);
    }

    /**
     * @return why the subscription should end, if the next one could prefetch more messages
     */
    synchronized Optional<String> grow() {
        int fullest = queues.values().stream().mapToInt(count -> count).max().orElse(0);
        return over ? Optional.empty() : prefetch.grow(fullest, messages, bytes);
    }
}
