package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.RelayReport;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a relay in this process. Safe for use by many threads. */
public final class RelayStatistics {
    private final LongAdder published = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder inDoubt = new LongAdder();
    private final LongAdder behind = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder sessions = new LongAdder();
    private volatile State state = new State(Phase.STOPPED, Optional.empty());

    /** What the relay is doing. */
    public enum Phase {
        STOPPED("stopped"),
        /** Another process holds the lease, or the store is unavailable. */
        STANDING_BY("standing by"),
        RUNNING("running"),
        /** The destination is unavailable. */
        BACKING_OFF("backing off");

        private final String words;

        Phase(String words) {
            this.words = words;
        }

        /** For people. */
        public String words() {
            return words;
        }
    }

    /**
     * @param problem why it is not running, or why it makes no progress
     */
    public record State(Phase phase, Optional<String> problem) {}

    RelayStatistics() {}

    void count(List<Settlement> settlements) {
        settlements.forEach(this::count);
    }

    private void count(Settlement settlement) {
        if (settlement instanceof Settlement.Published) {
            published.increment();
        } else if (settlement instanceof Settlement.RetryAt retry) {
            (retry.counted() ? retried : inDoubt).increment();
        } else if (settlement instanceof Settlement.Behind) {
            behind.increment();
        } else if (settlement instanceof Settlement.Dead) {
            dead.increment();
        } else {
            released.increment();
        }
    }

    void repeat(int events) {
        repeats.add(events);
    }

    void sessionOpened() {
        sessions.increment();
        is(Phase.RUNNING);
    }

    void is(Phase phase) {
        state = new State(phase, Optional.empty());
    }

    void is(Phase phase, String problem) {
        state = new State(phase, Optional.of(problem));
    }

    /** The state that other processes show. Standing by for another process is not a problem. */
    RelayReport report(RelayName relay, OwnerId process, Optional<Duration> failingFor) {
        State now = state;
        return new RelayReport(
                process, relay, now.phase().words(), failingFor, failingFor.flatMap(time -> now.problem()));
    }

    public State state() {
        return state;
    }

    /** Events settled as published; after a crash some are counted again. */
    public long published() {
        return published.sum();
    }

    /** Failed attempts that are retried. */
    public long retried() {
        return retried.sum();
    }

    /** Attempts whose part of the destination was unavailable; they are retried and not counted as attempts. */
    public long inDoubt() {
        return inDoubt.sum();
    }

    /** Events parked behind an earlier one of their key. */
    public long behind() {
        return behind.sum();
    }

    public long dead() {
        return dead.sum();
    }

    /** Events claimed and released because the destination was unavailable. */
    public long released() {
        return released.sum();
    }

    /**
     * Events sent again although the destination has them, or may have them: acknowledged but not recorded as published, in
     * doubt, or unanswered when a session ended. What a crash makes a relay send again is not known here; only consumers see it.
     */
    public long repeats() {
        return repeats.sum();
    }

    /** How often this process took the lease. */
    public long sessions() {
        return sessions.sum();
    }
}
