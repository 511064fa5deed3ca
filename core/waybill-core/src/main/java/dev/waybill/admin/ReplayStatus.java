package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Status of a replay.
 *
 * @param by who started it, and why
 * @param lease the process that runs it, if any
 * @param paused whether an operator paused it
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

    public enum State {
        /** Events are unsent or wait for a retry. The lease tells whether a process runs it. */
        OPEN,
        /** Cancelled by an operator; its process still settles events in flight. */
        CANCELLING,
        /** Cancelled by an operator; it sends nothing more. */
        CANCELLED,
        /** All events are sent or dead. */
        THROUGH;

        public static State of(boolean cancelled, boolean ended) {
            if (ended) {
                return cancelled ? CANCELLED : THROUGH;
            }
            return cancelled ? CANCELLING : OPEN;
        }
    }

    /**
     * The sum is the number of events of the replay, unless some were discarded.
     *
     * @param sent recorded as sent; while it runs, more may have been sent
     * @param notSent not sent yet, or never if it was cancelled
     * @param parked events that wait for a retry, or behind one
     * @param dead events that wait for an operator
     */
    public record Counts(long sent, ReplaySize notSent, long parked, long dead) {
        /** For a replay that has not ended: events that are not sent, parked or dead will still be sent. */
        public static Counts of(ReplaySize total, long sent, long parked, long dead) {
            long open = Math.max(0, total.events() - sent - parked - dead);
            return new Counts(sent, new ReplaySize(open, total.exact()), parked, dead);
        }

        /** For the audit and for operators. */
        @Override
        public String toString() {
            return "sent " + sent + ", not sent " + notSent + (parked == 0 ? "" : ", parked " + parked) + ", dead "
                    + dead;
        }
    }
}
