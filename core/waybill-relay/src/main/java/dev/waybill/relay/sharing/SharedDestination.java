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
    private final List<SharedRelay> relays = new ArrayList<>();
    private final Asking asking = new Asking();
    private @Nullable SharedRelay trial;

    void add(SharedRelay relay) {
        relays.add(relay);
    }

    void remove(SharedRelay relay) {
        relays.remove(relay);
    }

    /** Whether this process runs relays of it, and all of them fail. */
    boolean doAllFail(long now) {
        return runs(now) > 0 && running(now).allMatch(SharedRelay::isFailing);
    }

    /** Relays that this process does not run, but would. */
    Predicate<SharedRelay> wantsMore(Loads loads, long now) {
        return switch (doAllFail(now) ? Asking.Amount.NOTHING : asking.amount(now)) {
            case NOTHING -> relay -> false;
            case ONE_RELAY -> Predicate.isEqual(runs(now) + underWay() == 0 ? trial(loads, now) : null);
            case ALL -> relay -> mayWork(relay, now);
        };
    }

    private static boolean mayWork(SharedRelay relay, long now) {
        return !relay.isFailing() && !relay.gaveUpFailingLately(now);
    }

    /** A relay of the busiest process, because others give nothing away; the same until somebody has taken it. */
    private @Nullable SharedRelay trial(Loads loads, long now) {
        SharedRelay chosen = trial;
        if (chosen == null || chosen.holder().isPresent()) {
            trial = relays.stream()
                    .filter(relay -> mayWork(relay, now) && relay.holder().isPresent())
                    .max(Comparator.<SharedRelay>comparingInt(
                                    relay -> loads.of(relay.holder().orElseThrow()))
                            .thenComparing(relay -> relay.holder().orElseThrow().value())
                            .thenComparing(relay -> relay.name().value()))
                    .orElse(null);
        }
        return trial;
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

    private int runs(long now) {
        return (int) running(now).count();
    }

    private int underWay() {
        return (int) relays.stream().filter(SharedRelay::isUnderWay).count();
    }
}
