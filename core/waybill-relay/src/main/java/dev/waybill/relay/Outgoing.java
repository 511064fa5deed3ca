package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages to the destination, and keeps its answers until the relay takes them in. Knows how long each publish has been
 * out, by the monotonic clock. One thread; only {@link #land} is called by the destination's threads.
 */
final class Outgoing {
    private final Destination destination;
    private final Runnable answersArrived;
    private final LongSupplier nanoTime;

    private final PublishLog log = new PublishLog();
    /** Oldest first. */
    private final Set<Publish> out = new LinkedHashSet<>();

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /** One call of the destination; equal to itself alone. */
    private static final class Publish {
        private final List<Seat> seats;
        private final Seen seen;
        private final long at;

        Publish(List<Seat> seats, Seen seen, long at) {
            this.seats = seats;
            this.seen = seen;
            this.at = at;
        }
    }

    /** What the destination said of one publish. */
    record Answer(Publish to, List<Delivery> deliveries) {
        List<Seat> seats() {
            return to.seats;
        }
    }

    /**
     * What has no answer yet.
     *
     * @param oldest how long the oldest publish is out; zero when none is
     */
    record Unanswered(int messages, Duration oldest) {}

    /** @param answersArrived called on any thread when there is an answer to take in */
    Outgoing(Destination destination, Runnable answersArrived, LongSupplier nanoTime) {
        this.destination = destination;
        this.answersArrived = answersArrived;
        this.nanoTime = nanoTime;
    }

    void publish(List<Seat> seats) {
        List<OutboundMessage> messages = new ArrayList<>(seats.size());
        for (Seat seat : seats) {
            messages.add(seat.flight().takeForSending(seat.index()));
        }
        Publish one = new Publish(seats, log.next(), nanoTime.getAsLong());
        out.add(one);
        try {
            destination.publish(messages, one.seen).whenComplete((deliveries, error) -> land(one, deliveries, error));
        } catch (Exception e) {
            // Some of it may have been sent: it counts as unavailable, and so does what was published before.
            land(one, null, e);
        }
    }

    private void land(Publish one, @Nullable List<Delivery> deliveries, @Nullable Throwable error) {
        List<Delivery> outcome = deliveries;
        int expected = one.seats.size();
        if (error != null || outcome == null) {
            String what = error == null ? "" : " with " + error.getClass().getName() + placeOf(error);
            outcome = unavailable(expected, "the destination failed" + what + " instead of giving an outcome");
        } else if (outcome.size() != expected) {
            outcome = unavailable(
                    expected, "the destination gave " + outcome.size() + " outcomes for " + expected + " messages");
        }
        answers.add(new Answer(one, outcome));
        answersArrived.run();
    }

    private static List<Delivery> unavailable(int count, String error) {
        return Collections.nCopies(count, new Delivery.Unavailable(error));
    }

    /** Where it was thrown; the message of somebody's own code may have personal data in it. */
    static String placeOf(Throwable e) {
        return e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0];
    }

    /** The next answer, once. It must be acted on before the next publish. */
    @Nullable Answer takeAnswer() {
        Answer answer = answers.poll();
        if (answer != null) {
            out.remove(answer.to);
            log.takenIn(answer.to.seen);
        }
        return answer;
    }

    Unanswered unanswered() {
        if (out.isEmpty()) {
            return new Unanswered(0, Duration.ZERO);
        }
        int messages = out.stream().mapToInt(one -> one.seats.size()).sum();
        return new Unanswered(
                messages, Duration.ofNanos(nanoTime.getAsLong() - out.iterator().next().at));
    }
}
