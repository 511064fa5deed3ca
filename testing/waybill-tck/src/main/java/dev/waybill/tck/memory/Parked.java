package dev.waybill.tck.memory;

import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.Optional;

/** An event that waits: for its retry, for an earlier event of its key, or for an operator. */
record Parked(MemoryEvent event, Wait waits, int attempts, Optional<String> error) {

    sealed interface Wait {
        /** Waits for its retry. */
        record Until(Instant at) implements Wait {}

        /** Waits only for earlier events of its key. */
        record Behind() implements Wait {}

        /** Waits for an operator. */
        record Dead(boolean holdsKey) implements Wait {}
    }

    static Parked behind(MemoryEvent event) {
        return new Parked(event, new Wait.Behind(), event.attempts(), Optional.empty());
    }

    Parked waiting(Wait wait) {
        return new Parked(event, wait, attempts, error);
    }

    Parked failed(Wait wait, boolean sent, String why) {
        return new Parked(event, wait, attempts + (sent ? 1 : 0), Optional.of(why));
    }

    /** State after an operator requeued it. */
    Parked afresh(Instant now) {
        return new Parked(event, new Wait.Until(now), 0, Optional.empty());
    }

    Utf8 key() {
        return event.orderKey();
    }

    boolean isDead() {
        return waits instanceof Wait.Dead;
    }

    boolean holdsKey() {
        return waits instanceof Wait.Dead dead && dead.holdsKey();
    }

    boolean closesKey() {
        return !isDead() || holdsKey();
    }

    /** Whether it may be sent if no earlier event of its key is parked. */
    boolean isDue(Instant now) {
        return waits instanceof Wait.Behind
                || (waits instanceof Wait.Until until && !until.at().isAfter(now));
    }

    Optional<Instant> nextAttemptAt() {
        return waits instanceof Wait.Until until ? Optional.of(until.at()) : Optional.empty();
    }
}
