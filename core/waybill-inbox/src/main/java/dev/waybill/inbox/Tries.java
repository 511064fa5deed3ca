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
 * The events that are let in to try whether something is still away. Each may take a worker for as long as its timeout, so
 * they are counted until they have ended. One place is kept for events that have not found it away, and one for those that did
 * not take long to find out: otherwise handlers that hang take the turns of all others. One thread at a time.
 */
final class Tries {
    private final Waits waits;
    private final int most;
    private final Set<Held> going = new HashSet<>();
    private final Map<Kind, Instant> nextAsk = new EnumMap<>(Kind.class);
    /** How often somebody found no room since one ended. */
    private int refusals;

    private enum Kind {
        FIRST(0),
        AGAIN(1),
        SLOW_AGAIN(2);

        /** Places that this kind and those after it leave to others. */
        private final int kept;

        Kind(int kept) {
            this.kept = kept;
        }

        static Kind of(Held held) {
            return held.timesAway == 0 ? FIRST : held.slow ? SLOW_AGAIN : AGAIN;
        }

        boolean isCountedFor(Kind other) {
            return compareTo(other) >= 0;
        }
    }

    /** @param most how many at once */
    Tries(Waits waits, int most) {
        this.waits = waits;
        this.most = most;
    }

    /**
     * All of a kind that find no room are to ask again at the same time: then the one that waits longest comes first.
     *
     * @return nothing when it may begin; or else when to ask again
     */
    Optional<Instant> begin(Held held, Instant now) {
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

    /** Short while tries end soon, longer while they hang. */
    private Duration untilNextAsk() {
        Duration wait = waits.firstAway().dividedBy(32).multipliedBy(1L << Math.min(refusals, 5));
        return wait.compareTo(waits.firstAway()) > 0 ? waits.firstAway() : wait;
    }

    void ended(Held held) {
        if (going.remove(held)) {
            refusals = 0;
        }
    }

    Optional<Held> any(Predicate<Held> which) {
        return going.stream().filter(which).findFirst();
    }
}
