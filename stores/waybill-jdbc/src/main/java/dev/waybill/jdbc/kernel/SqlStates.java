package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.util.Set;

/** What SQLSTATEs mean: those of the standard, and PostgreSQL's own, which has no other codes. */
final class SqlStates {
    private static final Set<String> CONFLICTS = Set.of(
            "40000", // transaction_rollback
            "40001", // serialization_failure
            "40P01", // deadlock_detected
            "55P03", // lock_not_available: the lock timeout
            "72000"); // snapshot_too_old

    private static final Set<String> AWAY_CLASSES = Set.of(
            "08", // connection exceptions, poolers' complaints among them
            "28", // the password or user is not accepted
            "53", // insufficient resources: disk full, out of memory, too many connections
            "57", // operator intervention: shut down, crashed, starting, cancelled, statement timeout
            "58"); // errors of the system below: I/O

    private static final Set<String> AWAY = Set.of(
            "25006", // read_only_sql_transaction: a standby, or a disk that filled up
            "25P03", // idle_in_transaction_session_timeout: something the handler waited for did not answer
            "25P04", // transaction_timeout
            "3D000", // the database is not there
            "40003"); // statement_completion_unknown

    private SqlStates() {}

    static FailureKind kindOf(String state) {
        if (CONFLICTS.contains(state)) {
            return FailureKind.CONFLICT;
        }
        boolean away = AWAY.contains(state) || (state.length() == 5 && AWAY_CLASSES.contains(state.substring(0, 2)));
        return away ? FailureKind.AWAY : FailureKind.FAILED;
    }
}
