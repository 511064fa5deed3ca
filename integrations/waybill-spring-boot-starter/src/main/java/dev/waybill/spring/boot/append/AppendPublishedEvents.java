package dev.waybill.spring.boot.append;

import dev.waybill.spring.AppendedAs;
import java.util.Optional;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;

/**
 * Appends domain events that are published as application events, also by Spring Data, if they have a mapping. A plain listener
 * on the thread of the publisher, so that it is in the publisher's transaction, and its failure reaches the publisher.
 */
public final class AppendPublishedEvents implements GenericApplicationListener {
    private final EventMappings mappings;
    private final StoreOutboxes outboxes;

    public AppendPublishedEvents(EventMappings mappings, StoreOutboxes outboxes) {
        this.mappings = mappings;
        this.outboxes = outboxes;
    }

    /** Before listeners that append further events because of this one. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    /** Even if the application's multicaster calls listeners on other threads. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Whatever the event is declared as: its object tells whether it has a mapping. */
    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        return true;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = event instanceof PayloadApplicationEvent<?> wrapper ? wrapper.getPayload() : event;
        if (mappings.has(payload.getClass())) {
            String store = Optional.ofNullable(payload.getClass().getAnnotation(AppendedAs.class))
                    .map(AppendedAs::store)
                    .orElse("");
            outboxes.of(store, payload.getClass()).append(payload);
        }
    }
}
