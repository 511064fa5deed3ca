package dev.waybill.tck.memory;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus.State;
import java.time.Instant;
import java.util.Optional;

/** What makes a relay a replay: which events it is about, and how far it has come with them. */
final class MemoryReplay {
    private final ReplayQuery query;
    private final long lastPosition;
    private final Actor by;
    private final Instant startedAt;
    private long sent;
    private Optional<Actor> cancelledBy = Optional.empty();
    private boolean ended;

    /** @param lastPosition of the events that were committed when it began */
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
