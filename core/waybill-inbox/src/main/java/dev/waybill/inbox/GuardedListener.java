package dev.waybill.inbox;

import dev.waybill.Inbox.Outcome;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerListener.Handling;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.support.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Calls the listeners of a plan. Safe for use by many threads. */
final class GuardedListener {
    private final String consumer;
    private final List<ConsumerListener> listeners;
    private final UserCode userCode;

    GuardedListener(String consumer, List<ConsumerListener> listeners, UserCode userCode) {
        this.consumer = consumer;
        this.userCode = userCode;
        this.listeners = List.copyOf(listeners);
    }

    Handling handling(ReceivedEvent event) {
        if (listeners.isEmpty()) {
            return Handling.IGNORED;
        }
        List<Told> told = new ArrayList<>(listeners.size());
        listeners.forEach(to -> call(
                to,
                () -> told.add(
                        new Told(to, Objects.requireNonNull(to.handling(consumer, event), "a listener's handling")))));
        return failure -> {
            // The last one first, so that what one made current before another is restored after it.
            for (int i = told.size() - 1; i >= 0; i--) {
                Told one = told.get(i);
                call(one.listener, () -> one.handling.ended(failure));
            }
        };
    }

    private record Told(ConsumerListener listener, Handling handling) {}

    void handled(ReceivedEvent event, Outcome outcome) {
        listeners.forEach(to -> call(to, () -> to.handled(consumer, event, outcome)));
    }

    void dead(InboundMessage message, String error) {
        listeners.forEach(to -> call(to, () -> to.dead(consumer, message, error)));
    }

    private void call(ConsumerListener to, Runnable report) {
        userCode.run("listener", to, report);
    }
}
