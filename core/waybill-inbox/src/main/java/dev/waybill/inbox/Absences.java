package dev.waybill.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
 * becomes of those that wait like it. So is an event that has waited for {@link Waits#turn} behind others. All that are
 * {@link Tries let in to try} are only so many at once. Safe for many threads.
 */
final class Absences {
    private final Waits waits;
    private final Tries tries;
    private final Map<Group, Gate> gates = new LinkedHashMap<>();
    private final Map<String, Long> handled = new HashMap<>();

    /** @param mostTried how many events are let in to try at once */
    Absences(Waits waits, int mostTried) {
        this.waits = waits;
        this.tries = new Tries(waits, mostTried);
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

        private Instant opens() {
            return trying == null || nextTry.isBefore(until) ? until : nextTry;
        }

        private void met(Instant now, String why) {
            lastMet = now;
            reason = why;
        }
    }

    /**
     * This event is about to be handled. Every one that may be is to be {@link #ended}.
     *
     * @return nothing when it may be; or else when to ask again
     */
    synchronized Optional<Instant> enter(Held held, Instant now) {
        held.triedAt = now;
        if (held.timesAway > 0) {
            // It still waits: so long what it waits for is spoken of.
            gateApart(held).met(now, held.reasonAway);
        }
        Gate gate = gate(Group.of(held), now).orElse(null);
        if (gate == null) {
            held.waitsSince = Instant.MIN;
            held.passedBy = false;
            return Optional.empty();
        }
        held.waitsSince = held.waitsSince.equals(Instant.MIN) ? now : held.waitsSince;
        held.passedBy = waitsAlone(held) || !now.isBefore(turnOf(held));
        if (!held.passedBy && now.isBefore(gate.opens())) {
            return Optional.of(gate.opens().isBefore(turnOf(held)) ? gate.opens() : turnOf(held));
        }
        Optional<Instant> noRoom = tries.begin(held, now);
        if (noRoom.isPresent()) {
            gate.met(now, gate.reason);
        } else if (!held.passedBy) {
            gate.tries(held, now, waits);
        }
        return noRoom;
    }

    /**
     * The same for an event that shares a transaction with others: these are one try.
     *
     * @param together those of the others that were let in to try; this one is added when it is let in, too
     */
    synchronized Optional<Instant> enter(Held held, Instant now, List<Held> together) {
        if (together.stream().map(Group::of).anyMatch(Group.of(held)::equals)) {
            return Optional.empty();
        }
        Optional<Instant> wait = enter(held, now);
        if (wait.isEmpty()) {
            together.add(held);
        }
        return wait;
    }

    /** When it is tried, whoever waits before it. */
    private Instant turnOf(Held held) {
        return held.waitsSince.plus(waits.turn());
    }

    /** Whether others of its type got through since it found something away. */
    private boolean waitsAlone(Held held) {
        return held.timesAway > 0 && handled(held) > held.handledWhenAway;
    }

    private long handled(Held held) {
        return handled.getOrDefault(held.type(), 0L);
    }

    /**
     * Its handler found something away. Its type waits; or, when others of it got through since this event last waited, or
     * when it was not the type's turn, this one alone.
     */
    synchronized Wait away(Held held, Instant now, String reason) {
        Group group = Group.of(held);
        boolean alone = held.passedBy || waitsAlone(held);
        held.away(now, reason, waits.longest());
        held.handledWhenAway = handled(held);
        gateApart(held).met(now, reason);
        Duration wait = alone
                ? waits.away(held.timesAway)
                : close(gates.computeIfAbsent(group, key -> new Gate()), held, now, reason);
        return new Wait(wait, alone);
    }

    private Gate gateApart(Held held) {
        return gates.computeIfAbsent(Group.ofThoseThatFoundAway(held), key -> new Gate());
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
        tries.ended(held);
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
        gates.entrySet().removeIf(entry -> isForgotten(entry.getKey(), entry.getValue(), now));
        return gates.values().stream()
                .findFirst()
                .map(gate -> gate.reason)
                .or(() -> tries.any(held -> held.timesAway > 0).map(held -> held.reasonAway));
    }

    private Optional<Gate> gate(Group group, Instant now) {
        Gate gate = gates.get(group);
        if (gate != null && isForgotten(group, gate, now)) {
            gates.remove(group);
            return Optional.empty();
        }
        return Optional.ofNullable(gate);
    }

    /**
     * What waits asks again after each wait: when nothing did for so long, there is nothing that waits, unless a handler that
     * was let in to try hangs.
     */
    private boolean isForgotten(Group group, Gate gate, Instant now) {
        return !now.isBefore(gate.lastMet.plus(waits.remembered()))
                && tries.any(held -> Group.of(held).equals(group)).isEmpty();
    }
}
