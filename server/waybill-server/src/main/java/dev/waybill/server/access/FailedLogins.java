package dev.waybill.server.access;

import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts failed logins and writes them to the audit log, a few in each minute: anybody may try any number of them. A login concerns
 * no store, so no store has it in its audit. Safe for use by many threads.
 */
final class FailedLogins {
    static final int LINES = 5;
    private static final Duration TIME = Duration.ofMinutes(1);
    private static final Logger audit = LoggerFactory.getLogger("dev.waybill.audit");

    private final InstantSource clock;
    private long count;
    private long unlogged;
    private int lines;
    private long linesSince;

    FailedLogins(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param who never a text that the caller has sent: a wrong name may be a password in the wrong field
     * @param address of the other end of the connection
     */
    synchronized void add(String who, String address, String why) {
        count++;
        long now = clock.millis();
        if (Math.abs(now - linesSince) >= TIME.toMillis()) {
            linesSince = now;
            lines = 0;
        }
        if (lines == LINES) {
            unlogged++;
            return;
        }
        lines++;
        audit.warn(
                "audit: login failed for {} from {}: {}. {} failed since the process started, {} of them since the last line.",
                who,
                address,
                why,
                count,
                unlogged + 1);
        unlogged = 0;
    }

    synchronized long count() {
        return count;
    }
}
