package dev.waybill.relay.sharing;

import java.time.Duration;

/**
 * What this process asks for after all its relays of a destination failed and it gave them up: nothing for a while, then one relay as a
 * trial, and its whole share when it has published something. No time ends the trial: a destination may need longer than that to
 * fail. The while is longer each time, until nothing has failed for long. Guarded by its {@link Sharing}.
 */
final class Asking {
    private static final int FIRST_PAUSE_LEASES = 4;
    private static final int LONGEST_PAUSE_LEASES = 60;
    private static final int FORGOTTEN_AFTER_LEASES = 120;

    private Duration lease = Duration.ZERO;
    private Duration pause = Duration.ZERO;
    private long pausesUntil;
    private boolean reached = true;

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
        reached = false;
    }

    /** @param at when a relay of the destination last published in this process */
    void published(long at) {
        reached |= at - pausesUntil >= 0;
    }

    /** Whether all relays of the destination failed not long ago. */
    private boolean isCautious(long now) {
        return !pause.isZero() && now - pausesUntil < forgottenAfter(lease).toNanos();
    }

    static Duration forgottenAfter(Duration lease) {
        return lease.multipliedBy(FORGOTTEN_AFTER_LEASES);
    }

    Amount amount(long now) {
        if (reached) {
            return Amount.ALL;
        }
        return now - pausesUntil < 0 ? Amount.NOTHING : Amount.ONE_RELAY;
    }
}
