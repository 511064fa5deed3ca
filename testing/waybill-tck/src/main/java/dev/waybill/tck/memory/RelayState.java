package dev.waybill.tck.memory;

import dev.waybill.admin.EventStory;
import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the store keeps of one relay: its lease, how far it has come, and what it parks. */
final class RelayState {
    private final RelayName name;
    private final Parking parking = new Parking();
    private Optional<RelayStatus.Lease> lease = Optional.empty();
    /** When the lease was given back last. */
    private Optional<Instant> leftAt = Optional.empty();

    private final Map<Long, EventStory.Discarded> discarded = new HashMap<>();
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

    /** Whether the relay ever sends this event: a replay only those of its query. */
    boolean isAbout(MemoryEvent event) {
        return replay.map(what -> what.matches(event)).orElse(true);
    }

    /** Whether this is a replay that has the event still before it. */
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

    boolean isFreeFor(OwnerId owner, Instant now) {
        return lease(now).map(held -> held.owner().equals(owner.value())).orElse(true);
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

    /** No session that was ever opened counts any more. */
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

    void discard(long position, EventStory.Discarded how) {
        parking.remove(position);
        discarded.put(position, how);
    }

    Optional<EventStory.Discarded> discarded(long position) {
        return Optional.ofNullable(discarded.get(position));
    }
}
