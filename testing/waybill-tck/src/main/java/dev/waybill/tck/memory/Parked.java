package dev.waybill.tck.memory;

import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.Optional;

/** An event that waits, for its time, for an earlier one of its key, or for a person. */
record Parked(MemoryEvent event, Wait waits, int attempts, Optional<String> error) {

    sealed interface Wait {
        /** For its time to be sent. */
        record Until(Instant at) implements Wait {}

        /** For the earlier ones of its key, and for nothing else. */
        record Behind() implements Wait {}

        /** For a person. */
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

    /** As it is when a person sends it again. */
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

    /** Whether it may be sent, given that nothing of its key is before it. */
    boolean isDue(Instant now) {
        return waits instanceof Wait.Behind
                || (waits instanceof Wait.Until until && !until.at().isAfter(now));
    }

    Optional<Instant> nextAttemptAt() {
        return waits instanceof Wait.Until until ? Optional.of(until.at()) : Optional.empty();
    }
}
