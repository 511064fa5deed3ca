package dev.waybill.tck.memory;

import dev.waybill.RelayName;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.support.LeaseBound;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The state of one relay: its lease, its position, and its parked events. */
final class RelayState {
    private final RelayName name;
    private final Parking parking = new Parking();
    private Optional<RelayStatus.Lease> lease = Optional.empty();
    /** Time when the lease was last released. */
    private Optional<Instant> leftAt = Optional.empty();

    private final Map<Long, EventHistory.Discarded> discarded = new HashMap<>();
    private long epoch;
    private long position;
    private boolean paused;
    private Optional<MemoryReplay> replay = Optional.empty();

    RelayState(RelayName name) {
        this.name = name;
    }

    RelayName name() {
        return name;
    }

    Parking parking() {
        return parking;
    }

    Optional<MemoryReplay> replay() {
        return replay;
    }

    void replays(MemoryReplay what) {
        replay = Optional.of(what);
    }

    /** Whether the relay sends this event; a replay sends only those that match its query. */
    boolean isAbout(MemoryEvent event) {
        return replay.map(what -> what.matches(event)).orElse(true);
    }

    /** Whether this is a replay that has not reached the event yet. */
    boolean isStillToSend(MemoryEvent event) {
        return replay.map(what -> !what.hasEnded() && event.position() > position && what.matches(event))
                .orElse(false);
    }

    /** Every event up to here is published or parked. */
    long position() {
        return position;
    }

    void moveTo(long position) {
        this.position = position;
    }

    boolean paused() {
        return paused;
    }

    void pause(boolean paused) {
        this.paused = paused;
    }

    long epoch() {
        return epoch;
    }

    Optional<RelayStatus.Lease> lease(Instant now) {
        return lease.filter(held -> held.until().isAfter(now));
    }

    /** A lease that ends after {@link LeaseBound} is free. */
    boolean isFreeFor(OwnerId owner, Instant now, Duration length) {
        return lease(now)
                .filter(held -> !held.until().isAfter(now.plus(LeaseBound.of(length))))
                .map(held -> held.owner().equals(owner.value()))
                .orElse(true);
    }

    /**
     * @return the epoch of the new lease
     */
    long take(OwnerId owner, Instant until) {
        epoch++;
        extend(owner, until);
        return epoch;
    }

    void extend(OwnerId owner, Instant until) {
        lease = Optional.of(new RelayStatus.Lease(owner.value(), epoch, until));
    }

    /** Invalidates all existing sessions. */
    void outdate() {
        epoch++;
    }

    void giveBack(Instant now) {
        lease = Optional.empty();
        leftAt = Optional.of(now);
    }

    Optional<Duration> unattended(Instant now) {
        return lease(now).isPresent()
                ? Optional.empty()
                : lease.map(RelayStatus.Lease::until).or(() -> leftAt).map(since -> Duration.between(since, now));
    }

    void discard(long position, EventHistory.Discarded how) {
        parking.remove(position);
        discarded.put(position, how);
    }

    Optional<EventHistory.Discarded> discarded(long position) {
        return Optional.ofNullable(discarded.get(position));
    }
}
