package dev.waybill.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Events that are being handled during an outage, to find out whether the dependency is available again. Each can occupy a worker
 * until its timeout, so their number is limited. One slot is reserved for events that have not found the dependency unavailable
 * yet, and one for events whose handlers fail quickly: otherwise hanging handlers would use all slots. One thread at a time.
 */
final class Probes {
    private final Waits waits;
    private final int most;
    private final Set<HeldMessage> going = new HashSet<>();
    private final Map<Kind, Instant> nextAsk = new EnumMap<>(Kind.class);
    /** Refused events since the last probe ended. */
    private int refusals;

    private enum Kind {
        FIRST(0),
        AGAIN(1),
        SLOW_AGAIN(2);

        /** Slots that this kind and later kinds leave free for others. */
        private final int kept;

        Kind(int kept) {
            this.kept = kept;
        }

        static Kind of(HeldMessage held) {
            return held.timesAway == 0 ? FIRST : held.slow ? SLOW_AGAIN : AGAIN;
        }

        boolean isCountedFor(Kind other) {
            return compareTo(other) >= 0;
        }
    }

    /** @param most maximum number of concurrent probes */
    Probes(Waits waits, int most) {
        this.waits = waits;
        this.most = most;
    }

    /**
     * All refused events of a kind ask again at the same time, so that the one that has waited longest is first.
     *
     * @return empty if it may start; otherwise when to ask again
     */
    Optional<Instant> begin(HeldMessage held, Instant now) {
        Kind kind = Kind.of(held);
        Instant next = nextAsk.getOrDefault(kind, Instant.MIN);
        if (now.isBefore(next)) {
            return Optional.of(next);
        }
        if (!hasRoom(kind)) {
            refusals++;
            nextAsk.put(kind, now.plus(untilNextAsk()));
            return Optional.of(now.plus(untilNextAsk()));
        }
        going.add(held);
        return Optional.empty();
    }

    private boolean hasRoom(Kind kind) {
        for (Kind each : Kind.values()) {
            if (kind.isCountedFor(each) && count(each) >= Math.max(1, most - each.kept)) {
                return false;
            }
        }
        return true;
    }

    private long count(Kind kind) {
        return going.stream().filter(held -> Kind.of(held).isCountedFor(kind)).count();
    }

    /** Short while probes end quickly, longer while they hang. */
    private Duration untilNextAsk() {
        Duration wait = waits.firstAway().dividedBy(32).multipliedBy(1L << Math.min(refusals, 5));
        return wait.compareTo(waits.firstAway()) > 0 ? waits.firstAway() : wait;
    }

    void ended(HeldMessage held) {
        if (going.remove(held)) {
            refusals = 0;
        }
    }

    Optional<HeldMessage> any(Predicate<HeldMessage> which) {
        return going.stream().filter(which).findFirst();
    }
}
