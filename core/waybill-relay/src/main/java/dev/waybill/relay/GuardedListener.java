package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a plan's listener, if there is one, and logs what it throws. One thread. */
final class GuardedListener {
    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final RelayName relay;
    private final Optional<RelayListener> listener;
    private boolean unavailable;
    private int failures;

    GuardedListener(RelayPlan plan) {
        this.relay = plan.name();
        this.listener = plan.listener();
    }

    void claimed(List<StoredEvent> events) {
        listener.ifPresent(to -> call(() -> to.claimed(relay, events)));
    }

    void settled(List<Settlement> settlements, List<StoredEvent> events) {
        listener.ifPresent(to -> settled(to, settlements, events));
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
            listener.ifPresent(to -> call(() -> to.unavailable(relay, error)));
        }
    }

    void available() {
        if (unavailable) {
            unavailable = false;
            listener.ifPresent(to -> call(() -> to.available(relay)));
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
                log.error("Relay {}: its listener failed ({} times so far); the relay goes on.", relay, failures, e);
            }
        }
    }
}
