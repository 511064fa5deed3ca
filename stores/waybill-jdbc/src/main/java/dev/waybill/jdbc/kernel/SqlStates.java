package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.util.Set;

/** Classifies SQLSTATEs: those of the standard and of PostgreSQL. */
final class SqlStates {
    private static final Set<String> CONFLICTS = Set.of(
            "40000", // transaction_rollback
            "40001", // serialization_failure
            "40P01", // deadlock_detected
            "55P03", // lock_not_available: the lock timeout
            "72000"); // snapshot_too_old

    private static final Set<String> UNAVAILABLE_CLASSES = Set.of(
            "08", // connection exceptions, including errors of poolers
            "28", // the password or user is not accepted
            "53", // insufficient resources: disk full, out of memory, too many connections
            "57", // operator intervention: shut down, crashed, starting, cancelled, statement timeout
            "58"); // errors of the system below: I/O

    private static final Set<String> UNAVAILABLE = Set.of(
            "25006", // read_only_sql_transaction: a standby, or a disk that filled up
            "25P03", // idle_in_transaction_session_timeout: the handler waited too long
            "25P04", // transaction_timeout
            "3D000", // the database does not exist
            "40003"); // statement_completion_unknown

    private SqlStates() {}

    static FailureKind kindOf(String state) {
        if (CONFLICTS.contains(state)) {
            return FailureKind.CONFLICT;
        }
        boolean away = UNAVAILABLE.contains(state)
                || (state.length() == 5 && UNAVAILABLE_CLASSES.contains(state.substring(0, 2)));
        return away ? FailureKind.UNAVAILABLE : FailureKind.FAILED;
    }
}
