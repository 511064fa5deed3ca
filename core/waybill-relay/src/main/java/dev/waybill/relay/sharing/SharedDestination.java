package dev.waybill.relay.sharing;

import dev.waybill.relay.sharing.SharedRelay.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The relays of one destination. If all that this process runs fail, it is likely that this process does not reach the destination:
 * then it gives them up, and asks for others again little by little. Guarded by its {@link Sharing}.
 */
final class SharedDestination {
    /** A relay that has nothing to publish for this long shows nothing, and another one is tried. */
    private static final int IDLE_TRIAL_LEASES = 6;

    private final List<SharedRelay> relays = new ArrayList<>();
    private final Asking asking = new Asking();
    private @Nullable SharedRelay trial;

    void add(SharedRelay relay) {
        relays.add(relay);
    }

    void remove(SharedRelay relay) {
        relays.remove(relay);
        if (relay == trial) {
            trial = null;
        }
    }

    /** Takes note of what was published. */
    void look(long now) {
        relays.stream()
                .flatMapToLong(relay -> relay.publishedAt(now).stream())
                .reduce((a, b) -> a - b >= 0 ? a : b)
                .ifPresent(at -> {
                    asking.published(at);
                    relays.forEach(relay -> relay.destinationReached(at));
                });
    }

    /** Whether this process runs relays of it, and all of them fail. In a trial, none has published: one that fails is enough. */
    boolean doAllFail(long now) {
        return running(now).anyMatch(SharedRelay::isFailing)
                && (asking.amount(now) == Asking.Amount.ONE_RELAY
                        || running(now).allMatch(SharedRelay::isFailing));
    }

    /** Relays that this process does not run, but would. */
    Predicate<SharedRelay> wantsMore(Loads loads, long now) {
        return switch (doAllFail(now) ? Asking.Amount.NOTHING : asking.amount(now)) {
            case NOTHING -> relay -> false;
            case ONE_RELAY -> Predicate.isEqual(isTrialPossible(now) ? trial(loads, now) : null);
            case ALL -> relay -> mayWork(relay, now);
        };
    }

    private static boolean mayWork(SharedRelay relay, long now) {
        return !relay.isFailing() && !relay.gaveUpFailingLately(now);
    }

    private boolean isTrialPossible(long now) {
        return underWay() == 0
                && running(now)
                        .allMatch(relay -> relay.isIdleAfter(relay.lease().multipliedBy(IDLE_TRIAL_LEASES), now));
    }

    /**
     * A relay of the busiest process, because others give nothing away; the same one until a process has taken it, or it cannot be
     * taken. If this process gave up all, the one of longest ago, but never the only relay of the destination: it would move too
     * often if it fails everywhere.
     */
    private @Nullable SharedRelay trial(Loads loads, long now) {
        SharedRelay chosen = trial;
        if (chosen == null || chosen.holder().isPresent() || !canBeTaken(chosen, now)) {
            trial = relays.stream()
                    .filter(relay -> canBeTaken(relay, now) && !relay.counts(now))
                    .filter(relay -> relays.size() > 1 || mayWork(relay, now))
                    .filter(relay -> relay.holder().isPresent())
                    .max(Comparator.<SharedRelay, Boolean>comparing(relay -> mayWork(relay, now))
                            .thenComparing(relay -> loads.of(relay.holder().orElseThrow()))
                            .thenComparing(relay -> relay.holder().orElseThrow().value())
                            .thenComparing(relay -> relay.sinceGaveUpFailing(now))
                            .thenComparing(relay -> relay.name().value()))
                    .orElse(null);
        }
        return trial;
    }

    /** A store that does not answer says nothing of who has its relays. */
    private static boolean canBeTaken(SharedRelay relay, long now) {
        return !relay.isFailing() && relay.store().isCurrent(now);
    }

    /** What is tried may be given up again: the pause before the next trial is longer. */
    void taken(SharedRelay relay) {
        if (relay == trial) {
            relay.forgetThatItFailed();
            trial = null;
        }
    }

    /** A relay that was given up before, and is here again, is likely to fail everywhere. */
    @Nullable SharedRelay nextFailing(long now) {
        return relays.stream()
                .filter(relay -> relay.is(Phase.HELD) && relay.isFailingForLong())
                .filter(relay -> !relay.gaveUpFailingLately(now))
                .filter(relay -> relay.establishedPeers(now).findAny().isPresent())
                .findFirst()
                .orElse(null);
    }

    void gaveUpFailing(SharedRelay relay, long now) {
        asking.gaveUpFailing(relay.lease(), now);
        relay.gaveUpFailing(now);
    }

    /** Whether others of it fail here: the one that works shows that they do not fail because of this process. */
    boolean isLastThatWorks(SharedRelay relay) {
        List<SharedRelay> held =
                relays.stream().filter(each -> each.is(Phase.HELD)).toList();
        return held.size() > 1 && held.stream().allMatch(each -> each == relay || each.isFailing());
    }

    private Stream<SharedRelay> running(long now) {
        return relays.stream().filter(relay -> relay.counts(now));
    }

    private int underWay() {
        return (int) relays.stream().filter(SharedRelay::isUnderWay).count();
    }
}
