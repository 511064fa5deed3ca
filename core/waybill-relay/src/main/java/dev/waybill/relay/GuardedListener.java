package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the listeners of a plan and logs what they throw. One thread. */
final class GuardedListener {
    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final RelayName relay;
    private final List<RelayListener> listeners;
    private boolean unavailable;
    private int failures;

    GuardedListener(RelayPlan plan) {
        this.relay = plan.name();
        this.listeners = plan.listeners();
    }

    void claimed(List<StoredEvent> events) {
        listeners.forEach(to -> call(() -> to.claimed(relay, events)));
    }

    /** @param sinceClaim time since the first of them was claimed */
    Sending sending(Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim) {
        if (listeners.isEmpty()) {
            return Sending.IGNORED;
        }
        List<StoredEvent> stored = events.get();
        List<OutboundMessage> readOnly = Collections.unmodifiableList(messages);
        Duration since = sinceClaim.get();
        List<Sending> told = new ArrayList<>(listeners.size());
        listeners.forEach(to -> call(() -> told.add(to.sending(relay, stored, readOnly, since))));
        return new Sending() {
            @Override
            public void handedOver() {
                // The last one first, so that what one made current before another is restored after it.
                for (int i = told.size() - 1; i >= 0; i--) {
                    call(told.get(i)::handedOver);
                }
            }

            @Override
            public void ended(List<Delivery> deliveries) {
                told.forEach(to -> call(() -> to.ended(deliveries)));
            }
        };
    }

    void settled(List<Settlement> settlements, List<StoredEvent> events) {
        listeners.forEach(to -> settled(to, settlements, events));
    }

    private void settled(RelayListener to, List<Settlement> settlements, List<StoredEvent> events) {
        List<StoredEvent> published = new ArrayList<>(events.size());
        for (int i = 0; i < settlements.size(); i++) {
            StoredEvent event = events.get(i);
            Settlement settlement = settlements.get(i);
            if (settlement instanceof Settlement.Published) {
                published.add(event);
            } else if (settlement instanceof Settlement.RetryAt retry) {
                call(() -> to.retried(relay, event, retry.error(), retry.at(), retry.counted()));
            } else if (settlement instanceof Settlement.Dead dead) {
                call(() -> to.dead(relay, event, dead.error()));
            }
        }
        if (!published.isEmpty()) {
            call(() -> to.published(relay, published));
        }
    }

    void unavailable(String error) {
        if (!unavailable) {
            unavailable = true;
            listeners.forEach(to -> call(() -> to.unavailable(relay, error)));
        }
    }

    void available() {
        if (unavailable) {
            unavailable = false;
            listeners.forEach(to -> call(() -> to.available(relay)));
        }
    }

    /**
     * Whatever it throws, also a checked exception from code that need not declare it: a listener must not end the relay's
     * session. Logged at the 1st, 2nd, 4th, 8th failure and so on.
     */
    private void call(Runnable report) {
        try {
            report.run();
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (Integer.bitCount(++failures) == 1) {
                log.error("Relay {}: a listener failed ({} times so far); the relay goes on.", relay, failures, e);
            }
        }
    }
}
