package dev.waybill.relay.sharing;

import java.time.Duration;

/** When a relay of this process takes its lease, and when it gives it up. Called by the relay's loop. */
public interface Placement {
    /** Takes the lease whenever it is free, and keeps it. */
    Placement ALONE = new Placement() {
        @Override
        public Duration untilTake() {
            return Duration.ZERO;
        }

        @Override
        public void taken() {}

        @Override
        public void notTaken() {}

        @Override
        public boolean givesUp() {
            return false;
        }

        @Override
        public void ended() {}
    };

    /**
     * @return zero: try to take the lease now, and report {@link #taken} or {@link #notTaken}. Otherwise ask again after this time,
     *     or when woken.
     */
    Duration untilTake();

    void taken();

    /** Another process holds the lease, or the store failed. */
    void notTaken();

    /** Whether to send nothing more, settle what is in flight, and release the lease. */
    boolean givesUp();

    /** The session is over, and the lease released unless that failed. */
    void ended();
}
