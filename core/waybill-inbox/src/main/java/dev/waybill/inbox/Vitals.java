package dev.waybill.inbox;

import dev.waybill.inbox.ConsumerHealth.State;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Current problems of a consumer. A problem that is not reported again expires. Safe for many threads. */
final class Vitals {
    private final InstantSource clock;
    private final Waits waits;
    private final Absences absences;
    private @Nullable Trouble defect;
    private @Nullable Trouble letters;
    private @Nullable Trouble conflicts;
    private @Nullable String broker;
    private @Nullable String ended;

    private record Trouble(String reason, Instant at) {}

    Vitals(InstantSource clock, Waits waits, Absences absences) {
        this.clock = clock;
        this.waits = waits;
        this.absences = absences;
    }

    /** An unexpected failure of the consumer or of its plan. */
    synchronized void defect(String reason) {
        defect = new Trouble(reason, clock.instant());
    }

    /** A dead letter is not accepted. */
    synchronized void lettersRefused(String reason) {
        letters = new Trouble(reason, clock.instant());
    }

    synchronized void lettersTaken() {
        letters = null;
    }

    /** The transactions of an event fail with conflicts repeatedly. */
    synchronized void conflicts(String reason) {
        conflicts = new Trouble(reason, clock.instant());
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
                .or(() -> absences.describe(now))
                .or(() -> standing(letters, now))
                .or(() -> standing(conflicts, now))
                .map(reason -> new ConsumerHealth(State.WAITING, reason))
                .orElse(new ConsumerHealth(State.WORKING, ""));
    }

    private Optional<String> standing(@Nullable Trouble trouble, Instant now) {
        return Optional.ofNullable(trouble)
                .filter(one -> now.isBefore(one.at().plus(waits.remembered())))
                .map(Trouble::reason);
    }
}
