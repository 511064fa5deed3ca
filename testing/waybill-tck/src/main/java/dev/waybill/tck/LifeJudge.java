package dev.waybill.tck;

import dev.waybill.spi.Settlement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Knows the state of every event for one relay from what was done with it, and throws at the first step that breaks the rules:
 *
 * <ul>
 *   <li>only committed events are claimed, and none that is discarded, dead or locked by another worker;
 *   <li>an event is claimed again only if its outcome was not written;
 *   <li>no event is claimed or published before an earlier one of its key, unless that one is discarded, or died and let later
 *       ones pass;
 *   <li>in the end, every event is published or discarded.
 * </ul>
 */
final class LifeJudge {
    private final Map<String, Fate> fates = new LinkedHashMap<>();
    private final Map<String, List<Fate>> keys = new HashMap<>();
    private final boolean readsAhead;

    /** What a store says about an event after its outcome. */
    private enum State {
        /** Not published yet; possibly in flight. */
        OPEN,
        /** Waits for its retry, or is being retried. */
        FAILED,
        /** Another worker has locked it. */
        LOCKED,
        /** Another worker failed to publish it and left it to others. */
        FAILED_BY_OTHERS,
        PUBLISHED,
        DISCARDED,
        DEAD,
        HOLDING
    }

    private static final class Fate {
        private final String name;
        private final int rank;
        private State state = State.OPEN;
        /** All of its key, in order. */
        private final List<Fate> key;

        /** It was dead once and let later events of its key pass, so it may arrive after them. */
        private boolean late;
        /** Its relay was dropped before it arrived late: until it fails again, other late events may come before it. */
        private boolean withoutPlace;
        /** It was published by a session whose last outcomes may not have been saved. */
        private boolean repeatable;

        private Fate(String name, List<Fate> key) {
            this.name = name;
            this.key = key;
            this.rank = key.size();
        }

        private Stream<Fate> earlier() {
            return key.stream().limit(rank);
        }

        /** Whether later events of its key have to wait for it. */
        private boolean closesKey() {
            return switch (state) {
                case OPEN, FAILED, LOCKED, FAILED_BY_OTHERS, HOLDING -> true;
                case PUBLISHED, DISCARDED, DEAD -> false;
            };
        }

        private boolean isDead() {
            return state == State.DEAD || state == State.HOLDING;
        }

        private boolean isFinished() {
            return state == State.PUBLISHED || state == State.DISCARDED;
        }

        @Override
        public String toString() {
            return name + " (" + state + (late ? ", late" : "") + ")";
        }
    }

    /** @param readsAhead whether claims may give events that were read before an operator requeued a dead one of their key */
    LifeJudge(boolean readsAhead) {
        this.readsAhead = readsAhead;
    }

    void appended(Collection<String> names) {
        for (String name : names) {
            List<Fate> key = keys.computeIfAbsent(EventBook.keyOf(name), first -> new ArrayList<>());
            Fate fate = new Fate(name, key);
            key.add(fate);
            fates.put(name, fate);
        }
    }

    // ---- the relay

    /** @param inFlight names of events that the same session claimed before and has not settled */
    void claimed(String name, Set<String> inFlight) {
        Fate fate = fate(name);
        require(!inFlight.contains(name), fate + " is claimed while it is in flight");
        if (fate.state == State.PUBLISHED && fate.repeatable) {
            fate.state = State.OPEN;
            fate.repeatable = false;
        } else {
            require(fate.state != State.PUBLISHED, fate + " is claimed again");
            require(!fate.isDead() && !fate.isFinished() && fate.state != State.LOCKED, fate + " is claimed");
        }
        fate.earlier()
                .filter(before -> !inFlight.contains(before.name) && !(readsAhead && before.late))
                .filter(before -> !(before.withoutPlace && before.state == State.OPEN && fate.late))
                .forEach(before -> require(!before.closesKey(), fate + " is claimed before " + before));
    }

    void settled(String name, Settlement settlement) {
        Fate fate = fate(name);
        if (settlement instanceof Settlement.Published) {
            fate.earlier()
                    .forEach(before ->
                            require(!before.closesKey() || before.late, fate + " is published before " + before));
        }
        if (fate.state == State.DISCARDED) {
            return;
        }
        if (settlement instanceof Settlement.Published) {
            fate.state = State.PUBLISHED;
        } else if (settlement instanceof Settlement.RetryAt) {
            fate.state = State.FAILED;
        } else if (settlement instanceof Settlement.Dead dead) {
            fate.state = dead.holdsKey() ? State.HOLDING : State.DEAD;
            fate.late |= !dead.holdsKey();
        }
    }

    /** These were published by a session that ended without saving. */
    void mayRepeat(Collection<String> names) {
        names.forEach(name -> fate(name).repeatable = true);
    }

    // ---- operators

    void discarded(String name) {
        fate(name).state = State.DISCARDED;
    }

    void requeued(String name) {
        fate(name).state = State.FAILED;
    }

    /** The relay was dropped and starts like a new one, with the events that are still stored. */
    void beginAgain(Collection<String> stored) {
        fates.clear();
        keys.clear();
        appended(stored);
    }

    /** The relay was dropped; what it published stays published. */
    void forgetFailures(Map<String, Boolean> listedDead) {
        for (Fate fate : fates.values()) {
            if (fate.isDead()) {
                Boolean holds = listedDead.get(fate.name);
                fate.state = holds == null ? State.OPEN : holds ? State.HOLDING : State.DEAD;
                fate.late |= fate.state == State.DEAD;
            } else if (fate.state == State.FAILED) {
                fate.state = State.OPEN;
            }
            fate.withoutPlace |= fate.late && fate.state == State.OPEN;
        }
    }

    // ---- other workers

    /** Pending events with nothing unfinished of their key before them, so that a worker may send them. */
    List<String> firstPending(Set<String> inFlight) {
        return fates.values().stream()
                .filter(fate -> fate.state == State.OPEN && !fate.repeatable && !inFlight.contains(fate.name))
                .filter(fate -> fate.earlier().noneMatch(Fate::closesKey))
                .map(fate -> fate.name)
                .toList();
    }

    void locked(String name) {
        fate(name).state = State.LOCKED;
    }

    void unlocked(String name) {
        fate(name).state = State.OPEN;
    }

    void publishedByOthers(String name) {
        fate(name).state = State.PUBLISHED;
    }

    void failedByOthers(String name) {
        fate(name).state = State.FAILED_BY_OTHERS;
    }

    void deadByOthers(String name) {
        fate(name).state = State.DEAD;
        fate(name).late = true;
    }

    // ---- what a store says

    /** @param dead the listed dead events, and whether they hold their keys */
    void requireDead(Map<String, Boolean> dead) {
        Map<String, Boolean> expected = new HashMap<>();
        fates.values().stream()
                .filter(Fate::isDead)
                .forEach(fate -> expected.put(fate.name, fate.state == State.HOLDING));
        Map<String, Boolean> listed = new HashMap<>(dead);
        listed.keySet().removeIf(name -> fate(name).state == State.FAILED_BY_OTHERS);
        require(listed.equals(expected), "dead and whether they hold their keys: " + expected + ", listed: " + listed);
    }

    /** An event that is listed as due waits for no dead one. */
    void requireNotHeld(String name) {
        fate(name)
                .earlier()
                .forEach(before -> require(
                        before.state != State.HOLDING, fate(name) + " is listed as due, but waits for " + before));
    }

    /** Number of events that are neither finished nor dead, if it is known. */
    long countOpen() {
        return fates.values().stream()
                .filter(fate -> !fate.isFinished() && !fate.isDead())
                .count();
    }

    /** Whether the store may have forgotten outcomes, or counts events of other workers in its own way. */
    boolean isUncertain() {
        return fates.values().stream()
                .anyMatch(
                        fate -> fate.repeatable || fate.state == State.LOCKED || fate.state == State.FAILED_BY_OTHERS);
    }

    List<String> unfinished() {
        return fates.values().stream()
                .filter(fate -> !fate.isFinished())
                .map(fate -> fate.name)
                .toList();
    }

    /** The unfinished events. */
    @Override
    public String toString() {
        return fates.values().stream()
                .filter(fate -> !fate.isFinished())
                .toList()
                .toString();
    }

    private Fate fate(String name) {
        Fate fate = fates.get(name);
        if (fate == null) {
            throw new AssertionError(name + " was not committed, or is not for this relay");
        }
        return fate;
    }

    private static void require(boolean holds, String violation) {
        if (!holds) {
            throw new AssertionError(violation);
        }
    }
}
