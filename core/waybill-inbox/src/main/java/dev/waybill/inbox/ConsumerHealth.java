package dev.waybill.inbox;

/**
 * How a consumer is now.
 *
 * @param reason why it does not work, in words for a person; empty when it does
 */
public record ConsumerHealth(State state, String reason) {
    /** What a consumer is about. */
    public enum State {
        /** Messages are taken and handled. */
        WORKING,
        /**
         * Something it needs is away: the broker, the inbox, what a handler calls, or the dead letters. Or the transaction of an
         * event has lost against others for seconds. It goes on by itself.
         */
        WAITING,
        /** A defect keeps it from handling some or all messages. It tries again, but a person should look. */
        SICK,
        /** It was closed, or ended by itself. */
        ENDED
    }

    /** Whether it works, or will again by itself: if not, restart the process. */
    public boolean isHealthy() {
        return state == State.WORKING || state == State.WAITING;
    }
}
