package dev.waybill.spring.shop;

import dev.waybill.spring.SpringOutbox;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Methods with the transactions that applications have. */
@Service
public class OrderService {
    private final SpringOutbox outbox;
    private final ApplicationEventPublisher events;

    OrderService(SpringOutbox outbox, ApplicationEventPublisher events) {
        this.outbox = outbox;
        this.events = events;
    }

    @Transactional
    public void append(Object... domainEvents) {
        outbox.append(domainEvents);
    }

    @Transactional
    public void publish(Object event) {
        events.publishEvent(event);
    }

    @Transactional(readOnly = true)
    public void appendReadOnly(String id) {
        outbox.append(Shop.event(id));
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void appendInNew(String id) {
        outbox.append(Shop.event(id));
    }

    /** Calls a transactional method past the proxy. */
    public void appendBySelfInvocation(String id) {
        append(Shop.event(id));
    }

    @Async
    public CompletableFuture<Void> appendAsync(String id) {
        outbox.append(Shop.event(id));
        return CompletableFuture.completedFuture(null);
    }
}
