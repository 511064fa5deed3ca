package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * How a replay stands.
 *
 * @param by who started it, and why
 * @param lease who runs it, if anybody does
 * @param paused whether a person paused it
 */
public record ReplayStatus(
        String name,
        ReplayQuery query,
        State state,
        Actor by,
        Instant startedAt,
        Optional<RelayStatus.Lease> lease,
        boolean paused,
        Counts counts) {

    /** What becomes of a replay. */
    public enum State {
        /** Something is still to be sent, or waits for a retry; whether anybody runs it is told by the lease. */
        OPEN,
        /** A person cancelled it; whoever runs it settles what is out. */
        CANCELLING,
        /** A person cancelled it, and it sends nothing more. */
        CANCELLED,
        /** Everything was sent, or is dead. */
        THROUGH;

        public static State of(boolean cancelled, boolean ended) {
            if (ended) {
                return cancelled ? CANCELLED : THROUGH;
            }
            return cancelled ? CANCELLING : OPEN;
        }
    }

    /**
     * Together they are the events the replay was about, as long as nobody discarded one of them.
     *
     * @param sent saved as sent; while it runs some more may have been
     * @param notSent not yet, or not any more once it was cancelled
     * @param parked events that wait for a retry, or behind one
     * @param dead events that wait for a person
     */
    public record Counts(long sent, ReplaySize notSent, long parked, long dead) {
        /** Of one that has not ended: what is not sent, parked or dead is still to come. */
        public static Counts of(ReplaySize total, long sent, long parked, long dead) {
            long open = Math.max(0, total.events() - sent - parked - dead);
            return new Counts(sent, new ReplaySize(open, total.exact()), parked, dead);
        }

        /** For the audit and for people. */
        @Override
        public String toString() {
            return "sent " + sent + ", not sent " + notSent + (parked == 0 ? "" : ", parked " + parked) + ", dead "
                    + dead;
        }
    }
}
