package dev.waybill.inbox;

import dev.waybill.inbox.ConsumerHealth.State;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Current problems of a consumer. A problem that is not reported again expires. Safe for many threads. */
final class CurrentProblems {
    private final InstantSource clock;
    private final Waits waits;
    private final Outages outages;
    private @Nullable Problem defect;
    private @Nullable Problem letters;
    private @Nullable Problem conflicts;
    private @Nullable String broker;
    private @Nullable String ended;

    private record Problem(String reason, Instant at) {}

    CurrentProblems(InstantSource clock, Waits waits, Outages outages) {
        this.clock = clock;
        this.waits = waits;
        this.outages = outages;
    }

    /** An unexpected failure of the consumer or of its plan. */
    synchronized void defect(String reason) {
        defect = new Problem(reason, clock.instant());
    }

    /** A dead letter is not accepted. */
    synchronized void lettersRefused(String reason) {
        letters = new Problem(reason, clock.instant());
    }

    synchronized void lettersTaken() {
        letters = null;
    }

    /** The transactions of an event fail with conflicts repeatedly. */
    synchronized void conflicts(String reason) {
        conflicts = new Problem(reason, clock.instant());
    }

    synchronized void brokerFailed(String reason) {
        broker = reason;
    }

    synchronized void brokerWorks() {
        broker = null;
    }

    /** Nothing is handled any more. The first reason is kept. */
    synchronized void end(String reason) {
        if (ended == null) {
            ended = reason;
        }
    }

    synchronized boolean isEnded() {
        return ended != null;
    }

    synchronized ConsumerHealth health() {
        if (ended != null) {
            return new ConsumerHealth(State.ENDED, ended);
        }
        Instant now = clock.instant();
        Optional<String> sick = standing(defect, now);
        if (sick.isPresent()) {
            return new ConsumerHealth(State.SICK, sick.get());
        }
        return Optional.ofNullable(broker)
                .or(() -> outages.describe(now))
                .or(() -> standing(letters, now))
                .or(() -> standing(conflicts, now))
                .map(reason -> new ConsumerHealth(State.WAITING, reason))
                .orElse(new ConsumerHealth(State.WORKING, ""));
    }

    private Optional<String> standing(@Nullable Problem problem, Instant now) {
        return Optional.ofNullable(problem)
                .filter(one -> now.isBefore(one.at().plus(waits.remembered())))
                .map(Problem::reason);
    }
}
