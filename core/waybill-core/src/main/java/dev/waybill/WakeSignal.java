package dev.waybill;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells relays that an event was appended in this process, so that they poll at once. One signal can serve several outboxes and
 * relays, created in any order. Without a signal a relay finds the same events by polling. Safe for use by many threads.
 *
 * <pre>{@code
 * WakeSignal appended = WakeSignal.create();
 * JdbcOutbox outbox = JdbcOutbox.journal(OutboxOptions.defaults().wake(appended));
 * Relay relay = Relay.named("orders").from(journal).to(kafka).wake(appended).start();
 * }</pre>
 */
public final class WakeSignal {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private WakeSignal() {}

    public static WakeSignal create() {
        return new WakeSignal();
    }

    /** Called by an outbox after each append; the transaction has not committed yet. */
    public void raise() {
        listeners.forEach(Runnable::run);
    }

    /**
     * @param listener called on the thread of the append: it must be short and must not throw
     */
    public void add(Runnable listener) {
        listeners.add(listener);
    }

    public void remove(Runnable listener) {
        listeners.remove(listener);
    }

    @Override
    public String toString() {
        return "WakeSignal[" + listeners.size() + " listeners]";
    }
}
