package dev.waybill.rabbitmq;

import dev.waybill.spi.InboundMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages that a channel has delivered and that were not polled yet. Safe for use by many threads. */
final class Arrivals {
    private final Deque<RabbitMessage> waiting = new ArrayDeque<>();
    private @Nullable Throwable failure;

    synchronized void add(RabbitMessage message) {
        waiting.addLast(message);
        notifyAll();
    }

    /** The channel is closed, so its messages are void. The first reason counts. */
    synchronized void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
        waiting.clear();
        notifyAll();
    }

    synchronized Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Waits for messages; with 0 it only waits. Returns nothing after a failure. */
    synchronized List<InboundMessage> take(Duration wait, int atMost) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos();
                left > 0 && failure == null && (waiting.isEmpty() || atMost == 0);
                left = deadline - System.nanoTime()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        List<InboundMessage> taken = new ArrayList<>();
        while (failure == null && taken.size() < atMost && !waiting.isEmpty()) {
            taken.add(waiting.removeFirst());
        }
        return taken;
    }
}
