package dev.waybill.inbox;

import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.format.MalformedMessageException;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes messages in, and acknowledges what is done with: one step is {@link #runOnce}. One thread. */
final class ReceiveMessages<T> implements MessageSource.Listener {
    private static final Logger log = LoggerFactory.getLogger(ReceiveMessages.class);
    private static final Duration WAIT_WHEN_FULL = Duration.ofMillis(10);

    private final ConsumerPlan<T> plan;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private @Nullable Subscription subscription;

    ReceiveMessages(ConsumerPlan<T> plan, KeyQueues queues, ConsumerStatistics statistics) {
        this.plan = plan;
        this.queues = queues;
        this.statistics = statistics;
    }

    /**
     * @throws SourceException when the broker failed. After that and after everything else that is thrown, all that was taken
     *     from it and not begun is forgotten: it comes again
     */
    void runOnce(Duration wait) {
        try {
            Subscription from = subscribed();
            acknowledge(from, List.of());
            int room = room();
            List<InboundMessage> arrived = from.poll(room == 0 ? WAIT_WHEN_FULL : wait, room);
            List<InboundMessage> nobodys = new ArrayList<>();
            for (InboundMessage message : arrived) {
                if (!takeIn(from, message)) {
                    nobodys.add(message);
                }
            }
            acknowledge(from, nobodys);
        } catch (Throwable e) {
            // After an Error too: messages that were polled may be nowhere, and what is done with may not be
            // acknowledged.
            leave();
            throw e;
        }
    }

    /** A source has little more in memory than it was asked for, so bytes are looked at only between two polls. */
    private int room() {
        boolean full = queues.heldBytes() >= plan.options.heldBytes();
        return full ? 0 : Math.max(0, plan.options.held() - queues.held());
    }

    private Subscription subscribed() {
        Subscription current = subscription;
        if (current == null) {
            current = plan.source.subscribe(this);
            subscription = current;
        }
        return current;
    }

    /**
     * @return false when nobody here handles it
     */
    private boolean takeIn(Subscription from, InboundMessage message) {
        ReceivedEvent event;
        try {
            event = plan.reader.read(message);
        } catch (RuntimeException | StackOverflowError e) {
            String why = e instanceof MalformedMessageException
                    ? Failure.messageOf(e)
                    : "The message could not be read: " + e.getClass().getName() + ".";
            queues.add(Held.malformed(from, message, why));
            return true;
        }
        ConsumerPlan.Registration<T> registration = plan.handlerOf(event.type());
        if (registration == null) {
            statistics.passedOver.increment();
            return false;
        }
        queues.add(problemWith(event)
                .map(why -> Held.malformed(from, message, why))
                .orElseGet(() -> Held.readable(from, event, registration.batches())));
        return true;
    }

    /** Why no inbox takes it, however often it comes. */
    private static Optional<String> problemWith(ReceivedEvent event) {
        try {
            var unused = Incoming.event(event.id());
            return Optional.empty();
        } catch (InvalidEventException e) {
            return Optional.of(Failure.messageOf(e));
        }
    }

    /** What is done with, and these; of earlier subscriptions nothing can be acknowledged any more, so it comes again. */
    private void acknowledge(Subscription from, List<InboundMessage> besides) {
        List<InboundMessage> done = new ArrayList<>(besides);
        for (Held held : queues.takeDone()) {
            if (held.from == from) {
                done.add(held.message);
            }
        }
        if (!done.isEmpty()) {
            from.acknowledge(done);
        }
    }

    @Override
    public void revoked(Subscription from, Predicate<InboundMessage> whose) {
        Predicate<Held> theirs = held -> held.from == from && whose.test(held.message);
        queues.forget(theirs);
        awaitRest(theirs);
        queues.forget(theirs);
        acknowledge(from, List.of());
    }

    /** Finishes what is at work, acknowledges it and leaves. */
    void close() {
        Subscription from = subscription;
        if (from == null) {
            return;
        }
        awaitRest(held -> true);
        try {
            acknowledge(from, List.of());
        } catch (Throwable e) {
            log.warn(
                    "Consumer {}: {} What was handled last comes again; the inbox knows it.",
                    plan.name,
                    Failure.messageOf(e));
        }
        leave();
    }

    private void leave() {
        Subscription from = subscription;
        subscription = null;
        if (from != null) {
            queues.forget(held -> held.from == from);
            try {
                from.close();
            } catch (Throwable e) {
                log.warn("Consumer {}: its subscription did not close ({}).", plan.name, Failure.messageOf(e));
            }
        }
    }

    private void awaitRest(Predicate<Held> whose) {
        try {
            if (!queues.awaitRest(whose, plan.options.grace())) {
                log.warn(
                        "Consumer {}: what is at work did not end within {} ms; it is not acknowledged and comes again.",
                        plan.name,
                        plan.options.grace().toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
