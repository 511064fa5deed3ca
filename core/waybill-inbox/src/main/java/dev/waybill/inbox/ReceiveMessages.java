package dev.waybill.inbox;

import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.format.MalformedMessageException;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.support.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives messages and acknowledges finished ones; {@link #runOnce} is one step. One thread. */
final class ReceiveMessages<T> implements MessageSource.Listener {
    private static final Logger log = LoggerFactory.getLogger(ReceiveMessages.class);
    private static final Duration WAIT_WHEN_FULL = Duration.ofMillis(10);

    private final ConsumerParts<T> parts;
    private final KeyQueues queues;
    private final ConsumerStatistics statistics;
    private @Nullable Subscription subscription;

    ReceiveMessages(ConsumerParts<T> parts, KeyQueues queues, ConsumerStatistics statistics) {
        this.parts = parts;
        this.queues = queues;
        this.statistics = statistics;
    }

    /**
     * @throws SourceException if the broker failed. After this or any other exception, received messages that are not in progress
     *     are dropped; they are delivered again
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
            // Also after an Error: polled messages may be lost, and finished ones may be unacknowledged.
            leave();
            throw e;
        }
    }

    /** A source holds little more than was requested, so the size is checked only between polls. */
    private int room() {
        boolean full = queues.heldBytes() >= parts.options.heldBytes();
        return full ? 0 : Math.max(0, parts.options.held() - queues.held());
    }

    private Subscription subscribed() {
        Subscription current = subscription;
        if (current == null) {
            current = parts.source.subscribe(this);
            subscription = current;
        }
        return current;
    }

    /**
     * @return false if its type has no handler
     */
    private boolean takeIn(Subscription from, InboundMessage message) {
        ReceivedEvent event;
        try {
            event = parts.reader.read(message);
            Objects.requireNonNull(event.id(), "id");
            Objects.requireNonNull(event.type(), "type");
        } catch (Throwable e) {
            if (UserCode.isOfProcess(e)) {
                throw e;
            }
            String why = e instanceof MalformedMessageException
                    ? Failure.messageOf(e)
                    : "The message could not be read: " + UserCode.describe(e) + ".";
            queues.add(HeldMessage.malformed(from, message, why));
            return true;
        }
        ConsumerPlan.Registration<T> registration = parts.handlerOf(event.type());
        if (registration == null) {
            statistics.passedOver.increment();
            return false;
        }
        queues.add(problemWith(event)
                .map(why -> HeldMessage.malformed(from, message, why))
                .orElseGet(() -> HeldMessage.readable(from, event, registration.batches())));
        return true;
    }

    /** Why the inbox can never accept the event. */
    private static Optional<String> problemWith(ReceivedEvent event) {
        try {
            var unused = Incoming.event(event.id());
            return Optional.empty();
        } catch (InvalidEventException e) {
            return Optional.of(Failure.messageOf(e));
        }
    }

    /** Acknowledges finished messages and these. Messages of earlier subscriptions can no longer be acknowledged. */
    private void acknowledge(Subscription from, List<InboundMessage> besides) {
        List<InboundMessage> done = new ArrayList<>(besides);
        for (HeldMessage held : queues.takeDone()) {
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
        Predicate<HeldMessage> theirs = held -> held.from == from && whose.test(held.message);
        queues.forget(theirs);
        awaitRest(theirs);
        queues.forget(theirs);
        acknowledge(from, List.of());
    }

    /** Finishes the messages in progress, acknowledges them and leaves. */
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
                    "Consumer {}: {} The messages handled last are delivered again; the inbox recognizes them.",
                    parts.name,
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
                log.warn("Consumer {}: its subscription did not close ({}).", parts.name, Failure.messageOf(e));
            }
        }
    }

    private void awaitRest(Predicate<HeldMessage> whose) {
        try {
            if (!queues.awaitRest(whose, parts.options.grace())) {
                log.warn(
                        "Consumer {}: handlers did not end within {} ms; their messages are not acknowledged and are delivered again.",
                        parts.name,
                        parts.options.grace().toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
