package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.relay.sharing.StoreView.Peer;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A relay of this process that other processes may run too. Its state is guarded by its {@link Sharing}. */
final class SharedRelay implements Placement {
    private final Sharing sharing;
    private final RelayName name;
    private final StoreView store;
    private final SharedDestination destination;
    private final Duration lease;
    private final Sharing.Loop loop;
    /** Also read without the lock, in every cycle of the relay. */
    private volatile Phase phase = Phase.STANDING_BY;

    private long since;
    private boolean free;
    private long freeSince;
    private boolean gaveUpFailing;
    private long gaveUpFailingAt;

    enum Phase {
        STANDING_BY,
        TAKING,
        HELD,
        GIVING_UP,
        /** Released, so that another process takes it. */
        OFFERED
    }

    /** What it has in common with other relays. */
    record Place(StoreView store, SharedDestination destination) {}

    SharedRelay(Sharing sharing, Place place, RelayName name, Duration lease, Sharing.Loop loop) {
        this.sharing = sharing;
        this.store = place.store();
        this.destination = place.destination();
        this.name = name;
        this.lease = lease;
        this.loop = loop;
    }

    RelayName name() {
        return name;
    }

    StoreView store() {
        return store;
    }

    SharedDestination destination() {
        return destination;
    }

    Duration lease() {
        return lease;
    }

    /** The process that has its lease, as of the last reading. */
    Optional<OwnerId> holder() {
        return store.holder(name);
    }

    /** Other processes that run it or would, and have been there for a while. */
    Stream<Peer> establishedPeers(long now) {
        return store.peers(name, now).stream().filter(peer -> now - peer.seenSince() >= lease.toNanos() / 2);
    }

    Phase phase() {
        return phase;
    }

    boolean is(Phase other) {
        return phase == other;
    }

    boolean isUnderWay() {
        return phase == Phase.GIVING_UP || phase == Phase.OFFERED;
    }

    /**
     * Whether this process has the lease, or is about to. A store that does not answer keeps a relay from its lease for long, with
     * pauses in which it is not known to fail.
     */
    boolean counts(long now) {
        return phase == Phase.HELD || (phase == Phase.TAKING && !isFailing() && store.isCurrent(now));
    }

    void become(Phase next, long now) {
        phase = next;
        since = now;
    }

    /** How long it has been in its phase. */
    Duration lasts(long now) {
        return Duration.ofNanos(now - since);
    }

    void seenHeld() {
        free = false;
    }

    void seenFree(long now) {
        if (!free) {
            free = true;
            freeSince = now;
        }
    }

    /** How long its lease has been free, as far as this process has seen. */
    Duration freeFor(long now) {
        return free ? Duration.ofNanos(now - freeSince) : Duration.ZERO;
    }

    boolean isFailing() {
        return loop.failingFor().isPresent();
    }

    /** Longer than a destination is usually away when one of its servers restarts. */
    boolean isFailingForLong() {
        return loop.failingFor()
                .filter(time -> time.compareTo(lease.multipliedBy(2)) >= 0)
                .isPresent();
    }

    /** Whether it has had nothing to publish, and no unanswered messages, after it has been here for some time. */
    boolean isIdleAfter(Duration time, long now) {
        return phase == Phase.HELD && lasts(now).compareTo(time) >= 0 && loop.isIdle();
    }

    /** When it last published in this process. */
    OptionalLong publishedAt(long now) {
        return loop.lastPublished().stream()
                .mapToLong(ago -> now - ago.toNanos())
                .findAny();
    }

    void gaveUpFailing(long now) {
        gaveUpFailing = true;
        gaveUpFailingAt = now;
    }

    /** This process has published to its destination: why it gave up the relay before that tells nothing any more. */
    void destinationReached(long at) {
        gaveUpFailing &= at - gaveUpFailingAt < 0;
    }

    void forgetThatItFailed() {
        gaveUpFailing = false;
    }

    /** Whether this process gave it up not long ago because it failed. If it is here again, it fails elsewhere too. */
    boolean gaveUpFailingLately(long now) {
        return gaveUpFailing
                && sinceGaveUpFailing(now) < Asking.forgottenAfter(lease).toNanos();
    }

    /** In nanoseconds; the longest time if it was not given up. */
    long sinceGaveUpFailing(long now) {
        return gaveUpFailing ? now - gaveUpFailingAt : Long.MAX_VALUE;
    }

    RelayReport report() {
        return loop.report();
    }

    void wake() {
        loop.wake();
    }

    @Override
    public Duration untilTake() {
        return sharing.untilTake(this);
    }

    @Override
    public void taken() {
        sharing.taken(this);
    }

    @Override
    public void notTaken() {
        sharing.changed(this, Phase.STANDING_BY);
    }

    @Override
    public boolean givesUp() {
        return phase == Phase.GIVING_UP;
    }

    @Override
    public void ended() {
        sharing.ended(this);
    }
}
