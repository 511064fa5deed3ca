package dev.waybill.inbox;

import dev.waybill.Inbox.Outcome;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerListener.Handling;
import dev.waybill.spi.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the listeners of a plan and logs what they throw. Safe for use by many threads. */
final class GuardedListener {
    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final String consumer;
    private final List<ConsumerListener> listeners;
    private final AtomicInteger failures = new AtomicInteger();

    GuardedListener(String consumer, List<ConsumerListener> listeners) {
        this.consumer = consumer;
        this.listeners = List.copyOf(listeners);
    }

    Handling handling(ReceivedEvent event) {
        if (listeners.isEmpty()) {
            return Handling.IGNORED;
        }
        List<Handling> told = new ArrayList<>(listeners.size());
        listeners.forEach(to -> call(() -> told.add(to.handling(consumer, event))));
        return failure -> {
            // The last one first, so that what one made current before another is restored after it.
            for (int i = told.size() - 1; i >= 0; i--) {
                Handling handling = told.get(i);
                call(() -> handling.ended(failure));
            }
        };
    }

    void handled(ReceivedEvent event, Outcome outcome) {
        listeners.forEach(to -> call(() -> to.handled(consumer, event, outcome)));
    }

    void dead(InboundMessage message, String error) {
        listeners.forEach(to -> call(() -> to.dead(consumer, message, error)));
    }

    /** Logged at the 1st, 2nd, 4th, 8th failure and so on. */
    private void call(Runnable report) {
        try {
            report.run();
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            int count = failures.incrementAndGet();
            if (Integer.bitCount(count) == 1) {
                log.error(
                        "Consumer {}: a listener failed ({} times so far); the consumer goes on.", consumer, count, e);
            }
        }
    }
}
