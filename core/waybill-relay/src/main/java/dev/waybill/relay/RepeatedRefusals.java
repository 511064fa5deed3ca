package dev.waybill.relay;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Logs a failure of a store that is repeated at each attempt once a minute; another one at once. One thread. */
final class RepeatedRefusals {
    static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private String logged = "";
    private long loggedAt;

    /** @param nanoTime the monotonic clock */
    RepeatedRefusals(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    boolean isToBeLogged(String message) {
        long now = nanoTime.getAsLong();
        if (message.equals(logged) && now - loggedAt < BETWEEN_LINES.toNanos()) {
            return false;
        }
        logged = message;
        loggedAt = now;
        return true;
    }
}
