package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.util.Set;

/** Classifies H2's error codes. */
final class H2Errors {
    private static final int FIRST_OF_ITS_OWN = 50_000;

    private static final Set<Integer> CONFLICTS = Set.of(
            50200, // lock timeout
            90112, // the row was deleted meanwhile
            90131); // concurrent update

    private static final Set<Integer> UNAVAILABLE = Set.of(
            57014, // the statement took too long
            90020, // open in another process
            90028, // I/O
            90030, // file corrupted
            90031, // I/O
            90067, // connection is broken
            90097, // read only
            90098, // closed
            90100, // no space left
            90108, // out of memory
            90117, // remote connections are not allowed
            90121, // shut down
            90135, // exclusive mode
            90149); // database not found

    private H2Errors() {}

    /** Its other codes are SQLSTATEs. */
    static boolean isOne(int code) {
        return code >= FIRST_OF_ITS_OWN;
    }

    static FailureKind kindOf(int code) {
        if (CONFLICTS.contains(code)) {
            return FailureKind.CONFLICT;
        }
        return UNAVAILABLE.contains(code) ? FailureKind.UNAVAILABLE : FailureKind.FAILED;
    }
}
