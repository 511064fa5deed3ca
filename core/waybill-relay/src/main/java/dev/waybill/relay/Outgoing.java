package dev.waybill.relay;

import dev.waybill.relay.RelayCycle.Callbacks;
import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.relay.UserCalls.Kind;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.CheckedAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages to the destination and queues its answers until the relay processes them. Measures how long each publish
 * has been in flight. One thread; only {@link #receive} is called by the destination's threads.
 */
final class Outgoing {
    private final Destination destination;
    private final Callbacks callbacks;
    private final LongSupplier nanoTime;

    private final PublishLog log = new PublishLog();
    /** Oldest first. */
    private final Set<Publish> inFlight = new LinkedHashSet<>();

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /** One call of the destination. Compared by identity. */
    private static final class Publish {
        private final List<ClaimedEvent> events;
        private final Seen seen;
        private final long at;
        private final Sending sending;
        private volatile boolean answered;

        Publish(List<ClaimedEvent> events, Seen seen, long at, Sending sending) {
            this.events = events;
            this.seen = seen;
            this.at = at;
            this.sending = sending;
        }
    }

    /** The destination's answer to one publish. */
    record Answer(Publish to, List<Delivery> deliveries) {
        List<ClaimedEvent> events() {
            return to.events;
        }
    }

    /**
     * Messages without an answer, or whose answer is not processed yet.
     *
     * @param oldest how long the oldest publish without an answer has been in flight; zero if there is none
     */
    record Unanswered(int messages, Duration oldest) {
        static final Unanswered NONE = new Unanswered(0, Duration.ZERO);
    }

    Outgoing(Destination destination, Callbacks callbacks, LongSupplier nanoTime) {
        this.destination = destination;
        this.callbacks = callbacks;
        this.nanoTime = nanoTime;
    }

    void publish(List<ClaimedEvent> events) {
        List<OutboundMessage> messages = new ArrayList<>(events.size());
        for (ClaimedEvent event : events) {
            messages.add(event.batch().takeForSending(event.index()));
        }
        long now = nanoTime.getAsLong();
        Sending sending = callbacks.sending(
                () -> events.stream().map(ClaimedEvent::stored).toList(), messages, () -> sinceClaim(events, now));
        Publish one = new Publish(events, log.next(), now, sending);
        inFlight.add(one);
        CheckedAnswers.of(
                destination,
                events.size(),
                () -> callbacks
                        .calls()
                        .in(Kind.DESTINATION, destination, null, () -> destination.publish(messages, one.seen)),
                checked -> receive(one, checked));
        sending.handedOver();
    }

    private static Duration sinceClaim(List<ClaimedEvent> events, long now) {
        return Duration.ofNanos(now - events.get(0).batch().claimedAt);
    }

    private void receive(Publish one, CheckedAnswers checked) {
        one.answered = true;
        answers.add(new Answer(one, checked.deliveries()));
        callbacks.answersArrived();
    }

    /** Removes the next answer. The caller must process it before the next publish. */
    @Nullable Answer takeAnswer() {
        Answer answer = answers.poll();
        if (answer != null) {
            inFlight.remove(answer.to);
            log.takenIn(answer.to.seen);
            answer.to.sending.ended(answer.deliveries);
        }
        return answer;
    }

    /** The session ends; answers that have not been taken are ignored. */
    void abandon() {
        inFlight.forEach(one -> one.sending.ended(List.of()));
        inFlight.clear();
    }

    Unanswered unanswered() {
        if (inFlight.isEmpty()) {
            return Unanswered.NONE;
        }
        int messages = inFlight.stream().mapToInt(one -> one.events.size()).sum();
        return new Unanswered(messages, oldest());
    }

    /** Answers that are not processed yet are no delay of the destination. */
    private Duration oldest() {
        for (Publish one : inFlight) {
            if (!one.answered) {
                return Duration.ofNanos(nanoTime.getAsLong() - one.at);
            }
        }
        return Duration.ZERO;
    }
}
