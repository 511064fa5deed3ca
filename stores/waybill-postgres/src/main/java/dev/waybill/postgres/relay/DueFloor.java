package dev.waybill.postgres.relay;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a session remembers of its relay's parked events: none is due before {@link #text}, and whether a dead one holds its key.
 * A search for due events starts there and skips index entries of deleted rows, which remain while an old transaction may still
 * see them.
 *
 * <p>Only the session parks events. Changes by operators are counted ({@code waybill.relay.parked_changes}); after a change, and
 * every ten seconds, the session reads everything again. The latter finds changes made with plain SQL.
 */
final class DueFloor {
    private static final long UNKNOWN = -1;
    private static final Duration VALID_FOR = Duration.ofSeconds(10);

    private Instant floor = Instant.MIN;
    private boolean holding;
    private long changes = UNKNOWN;
    private long looks;
    private Instant everythingSeenAt = Instant.MIN;

    /** Also forgets after the clock was set back. */
    void forgetIfOld(Instant now) {
        if (now.isBefore(everythingSeenAt) || !everythingSeenAt.isAfter(now.minus(VALID_FOR))) {
            everythingSeenAt = now;
            floor = Instant.MIN;
            changes = UNKNOWN;
        }
    }

    /** Events due at this time were parked. */
    void lower(Instant due) {
        // The server rounds to microseconds.
        Instant rounded = due.truncatedTo(ChronoUnit.MILLIS);
        if (rounded.isBefore(floor)) {
            floor = rounded;
        }
    }

    /** Events due at once were parked. */
    void lowerToAll() {
        floor = Instant.MIN;
    }

    /** A dead event that holds its key was parked. */
    void holds() {
        holding = true;
    }

    /**
     * Takes in the result of a poll.
     *
     * @param first when the first event is due; null if there is none
     */
    void seen(@Nullable Instant first, boolean held, long countedChanges) {
        floor = first == null ? Instant.MAX : first;
        holding = held;
        if (changes != countedChanges) {
            changes = countedChanges;
            looks++;
        }
    }

    /** The floor as a literal of PostgreSQL. */
    String text() {
        if (floor.isBefore(FourDigitYears.EARLIEST)) {
            return "-infinity";
        }
        return floor.equals(Instant.MAX)
                ? "infinity"
                : FourDigitYears.nearest(floor).toString();
    }

    boolean holding() {
        return holding;
    }

    long changes() {
        return changes;
    }

    /** Changes whenever others may have changed parked events. */
    long looks() {
        return looks;
    }
}
