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
import java.util.Objects;
import java.util.function.Supplier;

/** Calls the listeners of a plan. One thread. */
final class GuardedListener {
    private final RelayName relay;
    private final List<RelayListener> listeners;
    private final UserCalls calls;
    private boolean unavailable;

    GuardedListener(RelayPlan plan, UserCalls calls) {
        this.relay = plan.name();
        this.listeners = plan.listeners();
        this.calls = calls;
    }

    void claimed(List<StoredEvent> events) {
        if (!events.isEmpty()) {
            List<StoredEvent> readOnly = Collections.unmodifiableList(events);
            listeners.forEach(to -> calls.listener(to, () -> to.claimed(relay, readOnly)));
        }
    }

    /** @param sinceClaim time since the first of them was claimed */
    Sending sending(Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim) {
        if (listeners.isEmpty()) {
            return Sending.IGNORED;
        }
        List<StoredEvent> stored = events.get();
        List<OutboundMessage> readOnly = Collections.unmodifiableList(messages);
        Duration since = sinceClaim.get();
        List<Told> told = new ArrayList<>(listeners.size());
        listeners.forEach(to -> calls.listener(
                to,
                () -> told.add(new Told(
                        to,
                        Objects.requireNonNull(to.sending(relay, stored, readOnly, since), "a listener's sending")))));
        return new Sending() {
            @Override
            public void handedOver() {
                // The last one first, so that what one made current before another is restored after it.
                for (int i = told.size() - 1; i >= 0; i--) {
                    Told one = told.get(i);
                    calls.listener(one.listener, one.sending::handedOver);
                }
            }

            @Override
            public void ended(List<Delivery> deliveries) {
                told.forEach(one -> calls.listener(one.listener, () -> one.sending.ended(deliveries)));
            }
        };
    }

    private record Told(RelayListener listener, Sending sending) {}

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
                calls.listener(to, () -> to.retried(relay, event, retry.error(), retry.at(), retry.counted()));
            } else if (settlement instanceof Settlement.Dead dead) {
                calls.listener(to, () -> to.dead(relay, event, dead.error()));
            }
        }
        if (!published.isEmpty()) {
            calls.listener(to, () -> to.published(relay, published));
        }
    }

    void unavailable(String error) {
        if (!unavailable) {
            unavailable = true;
            listeners.forEach(to -> calls.listener(to, () -> to.unavailable(relay, error)));
        }
    }

    void available() {
        if (unavailable) {
            unavailable = false;
            listeners.forEach(to -> calls.listener(to, () -> to.available(relay)));
        }
    }
}
