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
 * of them is tried, and the others go on waiting until that one says how it went.
 *
 * <p>Events that have found it away before wait apart from those that have not, and are tried one at a time until one of them
 * gets through. So what only some events find away, one tenant of many, does not hold up the others for longer than the first
 * attempt of each of those takes to fail, and the wait after it. Safe for many threads.
 */
final class Absences {
    private final Waits waits;
    private final Map<Group, Gate> gates = new LinkedHashMap<>();
    private final Map<String, Long> handled = new HashMap<>();

    Absences(Waits waits) {
        this.waits = waits;
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
        Gate gate = gate(Group.of(held), now).orElse(null);
        if (gate == null) {
            return Optional.empty();
        }
        if (now.isBefore(gate.until)) {
            return Optional.of(gate.until);
        }
        if (gate.trying != null) {
            return Optional.of(now.plus(waits.firstAway()));
        }
        gate.trying = held;
        return Optional.empty();
    }

    /**
     * Its handler found something away. Its type waits, or, when others of it got through since this event last waited, this one
     * alone.
     */
    synchronized Wait away(Held held, Instant now, String reason) {
        Group group = Group.of(held);
        long through = handled.getOrDefault(held.type(), 0L);
        boolean alone = group.foundAway() && through > held.handledWhenAway;
        held.timesAway++;
        held.handledWhenAway = through;
        Gate apart = gates.computeIfAbsent(Group.ofThoseThatFoundAway(held), key -> new Gate());
        apart.met(now, reason);
        Duration wait = alone
                ? waits.away(held.timesAway)
                : close(gates.computeIfAbsent(group, key -> new Gate()), held, now, reason);
        return new Wait(wait, alone);
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
