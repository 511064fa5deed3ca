package dev.waybill.inbox;

/**
 * Current health of a consumer.
 *
 * @param reason why it does not work, for an operator; empty when it works
 */
public record ConsumerHealth(State state, String reason) {
    /** What a consumer is doing. */
    public enum State {
        /** It receives and handles messages. */
        WORKING,
        /**
         * A dependency is unavailable: the broker, the inbox, a service that a handler calls, or the dead letters. Or the
         * transactions of an event have failed with conflicts for seconds. It recovers by itself.
         */
        WAITING,
        /** A defect prevents it from handling some or all messages. It retries, but an operator should investigate. */
        SICK,
        /** It was closed, or ended by itself. */
        ENDED
    }

    /** Whether it works or will recover by itself; if not, restart the process. */
    public boolean isHealthy() {
        return state == State.WORKING || state == State.WAITING;
    }
}
