package dev.waybill.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is away now, by the types of the events that need it. While it is, events of such a type wait; when the wait is over one
 * of them is tried, and the others go on waiting until that one says how it went, or for another wait: a handler may hang.
 *
 * <p>Events that have found it away before wait apart from those that have not. So what only some events find away, one tenant of
 * many, does not hold up the others for longer than the first attempt of each of those takes to fail, and the wait after it.
 * When others of its type got through since an event found it away, it waits alone: it is tried after its own wait, whatever
 * becomes of those that wait like it. Only so many of these are tried at once, in the order in which they began to wait: each may
 * take a worker for as long as its timeout. Safe for many threads.
 */
final class Absences {
    /** A handler that takes so long hangs: others may be tried in its place. */
    static final Duration HANGS = Duration.ofMinutes(1);

    private final Waits waits;
    private final int mostAlone;
    /** Events tried that wait alone, and since when. */
    private final Map<Held, Instant> alone = new HashMap<>();

    private Instant aloneAgain = Instant.MIN;
    private final Map<Group, Gate> gates = new LinkedHashMap<>();
    private final Map<String, Long> handled = new HashMap<>();

    /** @param mostAlone how many events that wait alone are tried at once */
    Absences(Waits waits, int mostAlone) {
        this.waits = waits;
        this.mostAlone = mostAlone;
    }

    /** Events that wait together. */
    private record Group(String type, boolean foundAway) {
        static final Group EVERYTHING = new Group("", false);

        static Group of(Held held) {
            return new Group(held.type(), held.timesAway > 0);
        }

        static Group ofThoseThatFoundAway(Held held) {
            return new Group(held.type(), true);
        }
    }

    /** What a group has to pass while something is away. */
    private static final class Gate {
        private int times;
        private Instant until = Instant.MIN;
        private Instant lastMet = Instant.MIN;
        private String reason = "";
        private @Nullable Held trying;
        /** When another may be tried, though that one has not said how it went. */
        private Instant nextTry = Instant.MIN;
        /** How many of those that were tried last have not said so in time. */
        private int overtaken;

        private void tries(Held held, Instant now, Waits waits) {
            overtaken = trying == null ? 0 : overtaken + 1;
            trying = held;
            nextTry = now.plus(waits.away(times + overtaken));
        }

        private void met(Instant now, String why) {
            lastMet = now;
            reason = why;
        }
    }

    /**
     * @return when this event may be handled; nothing when it may now
     */
    synchronized Optional<Instant> waitsUntil(Held held, Instant now) {
        return gate(Group.of(held), now).map(gate -> gate.until).filter(now::isBefore);
    }

    /**
     * This event is about to be handled. Every one that may be is to be {@link #ended}.
     *
     * @return nothing when it may be; or else when to ask again
     */
    synchronized Optional<Instant> enter(Held held, Instant now) {
        if (waitsAlone(held)) {
            return enterAlone(held, now);
        }
        Gate gate = gate(Group.of(held), now).orElse(null);
        if (gate == null) {
            return Optional.empty();
        }
        if (now.isBefore(gate.until)) {
            return Optional.of(gate.until);
        }
        if (gate.trying != null && now.isBefore(gate.nextTry)) {
            return Optional.of(gate.nextTry);
        }
        gate.tries(held, now, waits);
        return Optional.empty();
    }

    /** All that find no room are to ask again at the same time: then the one that waits longest comes first. */
    private Optional<Instant> enterAlone(Held held, Instant now) {
        Instant hanging = now.minus(HANGS);
        if (now.isBefore(aloneAgain)) {
            return Optional.of(aloneAgain);
        }
        if (alone.values().stream().filter(since -> since.isAfter(hanging)).count() >= mostAlone) {
            aloneAgain = now.plus(waits.firstAway());
            return Optional.of(aloneAgain);
        }
        alone.put(held, now);
        return Optional.empty();
    }

    /** Whether others of its type got through since it found something away. */
    private boolean waitsAlone(Held held) {
        return held.timesAway > 0 && handled(held) > held.handledWhenAway;
    }

    private long handled(Held held) {
        return handled.getOrDefault(held.type(), 0L);
    }

    /**
     * Its handler found something away. Its type waits, or, when others of it got through since this event last waited, this one
     * alone.
     */
    synchronized Wait away(Held held, Instant now, String reason) {
        Group group = Group.of(held);
        boolean waitsAlone = waitsAlone(held);
        held.timesAway++;
        held.lastAway = now;
        held.handledWhenAway = handled(held);
        Gate apart = gates.computeIfAbsent(Group.ofThoseThatFoundAway(held), key -> new Gate());
        apart.met(now, reason);
        Duration wait = waitsAlone
                ? waits.away(held.timesAway)
                : close(gates.computeIfAbsent(group, key -> new Gate()), held, now, reason);
        return new Wait(wait, waitsAlone);
    }

    /** @param alone whether others of its type go on */
    record Wait(Duration time, boolean alone) {}

    /**
     * What all events need is away; found by several at once this counts as one time.
     *
     * @return how long to wait
     */
    synchronized Duration everythingAway(Instant now, String reason) {
        return close(gates.computeIfAbsent(Group.EVERYTHING, key -> new Gate()), null, now, reason);
    }

    private Duration close(Gate gate, @Nullable Held by, Instant now, String reason) {
        if ((by != null && gate.trying == by) || !now.isBefore(gate.until)) {
            gate.times++;
            gate.until = now.plus(waits.away(gate.times));
        }
        gate.met(now, reason);
        return Duration.between(now, gate.until);
    }

    /** What all events need is there. */
    synchronized void everythingPresent() {
        gates.remove(Group.EVERYTHING);
    }

    /** Whatever this event needed is there: it got through. */
    synchronized void present(Held held) {
        gates.remove(Group.of(held));
        gates.remove(new Group(held.type(), false));
        handled.merge(held.type(), 1L, Long::sum);
    }

    /** It is no longer tried. */
    synchronized void ended(Held held) {
        alone.remove(held);
        release(new Group(held.type(), false), held);
        release(Group.ofThoseThatFoundAway(held), held);
    }

    private void release(Group group, Held held) {
        Gate gate = gates.get(group);
        if (gate != null && gate.trying == held) {
            gate.trying = null;
        }
    }

    /** What is away, in words; nothing when all is there, as far as anybody knows. */
    synchronized Optional<String> describe(Instant now) {
        gates.values().removeIf(gate -> isForgotten(gate, now));
        return gates.values().stream().findFirst().map(gate -> gate.reason);
    }

    private Optional<Gate> gate(Group group, Instant now) {
        Gate gate = gates.get(group);
        if (gate != null && isForgotten(gate, now)) {
            gates.remove(group);
            return Optional.empty();
        }
        return Optional.ofNullable(gate);
    }

    /** What waits is tried again after each wait: when nothing was for so long, there is nothing that waits. */
    private boolean isForgotten(Gate gate, Instant now) {
        return gate.trying == null && !now.isBefore(gate.lastMet.plus(waits.remembered()));
    }
}
