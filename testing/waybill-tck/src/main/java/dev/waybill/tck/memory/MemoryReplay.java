package dev.waybill.tck.memory;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus.State;
import java.time.Instant;
import java.util.Optional;

/** The additional state of a replay: its query and its progress. */
final class MemoryReplay {
    private final ReplayQuery query;
    private final long lastPosition;
    private final Actor by;
    private final Instant startedAt;
    private long sent;
    private Optional<Actor> cancelledBy = Optional.empty();
    private boolean ended;

    /** @param lastPosition highest position committed when the replay started */
    MemoryReplay(ReplayQuery query, long lastPosition, Actor by, Instant startedAt) {
        this.query = query;
        this.lastPosition = lastPosition;
        this.by = by;
        this.startedAt = startedAt;
    }

    boolean matches(MemoryEvent event) {
        return event.position() <= lastPosition && query.matches(event);
    }

    ReplayQuery query() {
        return query;
    }

    Actor by() {
        return by;
    }

    Instant startedAt() {
        return startedAt;
    }

    long sent() {
        return sent;
    }

    void oneSent() {
        sent++;
    }

    Optional<Actor> cancelledBy() {
        return cancelledBy;
    }

    void cancel(Actor who) {
        cancelledBy = Optional.of(who);
    }

    boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    State state() {
        return State.of(cancelledBy.isPresent(), ended);
    }
}
