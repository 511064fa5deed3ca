package dev.waybill.postgres;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a session knows of its relay's parked events without asking: none is due before {@link #text}, and whether a dead one
 * holds its key. So a look for due events begins where there may be one, and does not walk over what was due and is gone,
 * which stays in the index as long as somebody's transaction may still see it.
 *
 * <p>The session itself is the only one to park events. A person may change them; such changes are counted
 * ({@code waybill.relay.parked_changes}), and a number that the session does not know makes it look at everything again. So does
 * every tenth second: what somebody changed with plain SQL is found then.
 */
final class DueFloor {
    private static final long UNKNOWN = -1;
    private static final Duration GOOD_FOR = Duration.ofSeconds(10);

    private Instant floor = Instant.MIN;
    private boolean holding;
    private long changes = UNKNOWN;
    private long looks;
    private Instant everythingSeenAt = Instant.MIN;

    /** Forgets what is known from too long ago. A clock that was set back counts as long. */
    void forgetIfOld(Instant now) {
        if (now.isBefore(everythingSeenAt) || !everythingSeenAt.isAfter(now.minus(GOOD_FOR))) {
            everythingSeenAt = now;
            floor = Instant.MIN;
            changes = UNKNOWN;
        }
    }

    /** Parked events were written that are due at this time. */
    void lower(Instant due) {
        // The server rounds to microseconds.
        Instant rounded = due.truncatedTo(ChronoUnit.MILLIS);
        if (rounded.isBefore(floor)) {
            floor = rounded;
        }
    }

    /** Parked events were written that are due at once. */
    void lowerToAll() {
        floor = Instant.MIN;
    }

    /** A dead event was written that holds its key. */
    void holds() {
        holding = true;
    }

    /**
     * A look from here on found this.
     *
     * @param first when the first is due; nothing when there is none
     */
    void seen(@Nullable Instant first, boolean held, long countedChanges) {
        floor = first == null ? Instant.MAX : first;
        holding = held;
        if (changes != countedChanges) {
            changes = countedChanges;
            looks++;
        }
    }

    /** As PostgreSQL reads it. */
    String text() {
        if (floor.isBefore(SensibleTimes.EARLIEST)) {
            return "-infinity";
        }
        return floor.equals(Instant.MAX)
                ? "infinity"
                : SensibleTimes.nearest(floor).toString();
    }

    boolean holding() {
        return holding;
    }

    long changes() {
        return changes;
    }

    /** How often everything was looked at; another number says that others may have changed something. */
    long looks() {
        return looks;
    }
}
