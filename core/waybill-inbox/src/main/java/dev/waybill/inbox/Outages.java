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
 * Unavailable dependencies, by the types of the events that need them. During an outage, events of the type wait. After the wait
 * one of them is tried; the others wait until it has ended, or for another wait, because a handler may hang.
 *
 * <p>Events that have found a dependency unavailable form a separate group from those that have not. So an outage that affects
 * only some events, such as those of one tenant, delays the others only by the first failed attempt of each affected event and
 * the wait after it. If others of its type succeeded since an event found the dependency unavailable, that event waits alone: it
 * is tried after its own wait, independently of its group. The same applies to an event that has waited for {@link Waits#turn}
 * behind others. The number of concurrent {@link Probes} is limited. Safe for use by many threads.
 */
final class Outages {
    private final Waits waits;
    private final Probes probes;
    private final Map<Group, Gate> gates = new LinkedHashMap<>();
    private final Map<String, Long> handled = new HashMap<>();

    /** @param mostTried maximum number of events tried at once */
    Outages(Waits waits, int mostTried) {
        this.waits = waits;
        this.probes = new Probes(waits, mostTried);
    }

    /** Events that wait together. */
    private record Group(String type, boolean foundAway) {
        static final Group EVERYTHING = new Group("", false);

        static Group of(HeldMessage held) {
            return new Group(held.type(), held.timesAway > 0);
        }

        static Group ofThoseThatFoundAway(HeldMessage held) {
            return new Group(held.type(), true);
        }
    }

    /** The outage of a group, and when the next event may be tried. */
    private static final class Gate {
        private int times;
        private Instant until = Instant.MIN;
        private Instant lastMet = Instant.MIN;
        private String reason = "";
        private @Nullable HeldMessage trying;
        /** When another event may be tried although this one has not ended. */
        private Instant nextTry = Instant.MIN;
        /** Number of consecutive tries that did not end in time. */
        private int overtaken;

        private void retry(HeldMessage held, Instant now, Waits waits) {
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
     * Asks whether this event may be handled now. If so, {@link #ended} must be called afterwards.
     *
     * @return empty if it may; otherwise when to ask again
     */
    synchronized Optional<Instant> enter(HeldMessage held, Instant now) {
        held.triedAt = now;
        if (held.timesAway > 0) {
            // The event still waits, so the outage is still current.
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
        Optional<Instant> noRoom = probes.begin(held, now);
        if (noRoom.isPresent()) {
            gate.met(now, gate.reason);
        } else if (!held.passedBy) {
            gate.retry(held, now, waits);
        }
        return noRoom;
    }

    /**
     * For an event that shares a transaction with others: together they are one try.
     *
     * @param together events that may be tried; this one is added if it may be tried too
     */
    synchronized Optional<Instant> enter(HeldMessage held, Instant now, List<HeldMessage> together) {
        if (together.stream().map(Group::of).anyMatch(Group.of(held)::equals)) {
            return Optional.empty();
        }
        Optional<Instant> wait = enter(held, now);
        if (wait.isEmpty()) {
            together.add(held);
        }
        return wait;
    }

    /** When it is tried, even if others have waited longer. */
    private Instant turnOf(HeldMessage held) {
        return held.waitsSince.plus(waits.turn());
    }

    /** Whether others of its type succeeded since it found a dependency unavailable. */
    private boolean waitsAlone(HeldMessage held) {
        return held.timesAway > 0 && handled(held) > held.handledWhenAway;
    }

    private long handled(HeldMessage held) {
        return handled.getOrDefault(held.type(), 0L);
    }

    /**
     * Its handler found a dependency unavailable. Its whole type waits; or this event alone, if others of its type succeeded since
     * it last waited, or if it was tried independently of them.
     */
    synchronized Wait away(HeldMessage held, Instant now, String reason) {
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

    private Gate gateApart(HeldMessage held) {
        return gates.computeIfAbsent(Group.ofThoseThatFoundAway(held), key -> new Gate());
    }

    /** @param alone whether others of its type continue */
    record Wait(Duration time, boolean alone) {}

    /**
     * A dependency of all events is unavailable. Concurrent reports count once.
     *
     * @return how long to wait
     */
    synchronized Duration everythingAway(Instant now, String reason) {
        return close(gates.computeIfAbsent(Group.EVERYTHING, key -> new Gate()), null, now, reason);
    }

    private Duration close(Gate gate, @Nullable HeldMessage by, Instant now, String reason) {
        if ((by != null && gate.trying == by) || !now.isBefore(gate.until)) {
            gate.times++;
            gate.until = now.plus(waits.away(gate.times));
        }
        gate.met(now, reason);
        return Duration.between(now, gate.until);
    }

    /** The dependencies of all events are available. */
    synchronized void everythingPresent() {
        gates.remove(Group.EVERYTHING);
    }

    /** This event succeeded, so its dependencies are available. */
    synchronized void present(HeldMessage held) {
        gates.remove(Group.of(held));
        gates.remove(new Group(held.type(), false));
        handled.merge(held.type(), 1L, Long::sum);
    }

    /** The try of this event has ended. */
    synchronized void ended(HeldMessage held) {
        probes.ended(held);
        release(new Group(held.type(), false), held);
        release(Group.ofThoseThatFoundAway(held), held);
    }

    private void release(Group group, HeldMessage held) {
        Gate gate = gates.get(group);
        if (gate != null && gate.trying == held) {
            gate.trying = null;
        }
    }

    /** Describes a current outage; empty if none is known. */
    synchronized Optional<String> describe(Instant now) {
        gates.entrySet().removeIf(entry -> isForgotten(entry.getKey(), entry.getValue(), now));
        return gates.values().stream()
                .findFirst()
                .map(gate -> gate.reason)
                .or(() -> probes.any(held -> held.timesAway > 0).map(held -> held.reasonAway));
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
     * Waiting events ask again after each wait. If none did for this long, none is waiting, unless a handler of a probe hangs.
     */
    private boolean isForgotten(Group group, Gate gate, Instant now) {
        return !now.isBefore(gate.lastMet.plus(waits.remembered()))
                && probes.any(held -> Group.of(held).equals(group)).isEmpty();
    }
}
