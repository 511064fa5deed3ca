package dev.waybill.relay.sharing;

import java.time.Duration;

/**
 * What this process asks for after all its relays of a destination failed and it gave them up: nothing for a while, then one relay as a
 * trial, then its whole share. The while is longer each time, until nothing has failed for long. Guarded by its {@link Sharing}.
 */
final class Asking {
    private static final int FIRST_PAUSE_LEASES = 4;
    private static final int LONGEST_PAUSE_LEASES = 60;
    private static final int TRIAL_LEASES = 6;
    private static final int FORGOTTEN_AFTER_LEASES = 120;

    private Duration lease = Duration.ZERO;
    private Duration pause = Duration.ZERO;
    private long pausesUntil;

    enum Amount {
        NOTHING,
        ONE_RELAY,
        ALL
    }

    /** Relays that are given up together count once. */
    void gaveUpFailing(Duration leaseOfRelay, long now) {
        if (amount(now) == Amount.NOTHING) {
            return;
        }
        lease = leaseOfRelay;
        Duration next = isCautious(now) ? pause.multipliedBy(2) : lease.multipliedBy(FIRST_PAUSE_LEASES);
        Duration longest = lease.multipliedBy(LONGEST_PAUSE_LEASES);
        pause = next.compareTo(longest) <= 0 ? next : longest;
        pausesUntil = now + pause.toNanos();
    }

    /** Whether all relays of the destination failed not long ago. */
    private boolean isCautious(long now) {
        return !pause.isZero() && now - pausesUntil < forgottenAfter(lease).toNanos();
    }

    static Duration forgottenAfter(Duration lease) {
        return lease.multipliedBy(FORGOTTEN_AFTER_LEASES);
    }

    Amount amount(long now) {
        long after = now - pausesUntil;
        if (pause.isZero() || after >= lease.multipliedBy(TRIAL_LEASES).toNanos()) {
            return Amount.ALL;
        }
        return after < 0 ? Amount.NOTHING : Amount.ONE_RELAY;
    }
}
