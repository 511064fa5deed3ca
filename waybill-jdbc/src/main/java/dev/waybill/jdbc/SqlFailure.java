package dev.waybill.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a database's error says about who is at fault. */
enum SqlFailure {
    /** A row with this key is there. */
    DUPLICATE,
    /** Lost against another transaction; try again. */
    CONFLICT,
    /** The database is away, or cut the connection. */
    AWAY,
    /** Something else: whoever wrote the statement must look. */
    OTHER;

    private static final String UNIQUE_VIOLATION = "23505";
    /** MariaDB has one SQLSTATE for all constraints. */
    private static final String MARIADB_CONSTRAINT = "23000";

    private static final int MARIADB_DUPLICATE = 1062;
    private static final int MARIADB_LOCK_TIMEOUT = 1205;
    private static final int H2_LOCK_TIMEOUT = 50200;
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "55P03");
    /** Shut down, crashed, starting, ended for idleness, and no room for one more connection. */
    private static final Set<String> CUT_OFF = Set.of("57P01", "57P02", "57P03", "57P05", "53300");

    /** Looks through the causes, too: frameworks wrap what the driver threw. */
    static SqlFailure of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return of(sql);
            }
        }
        return OTHER;
    }

    private static SqlFailure of(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.equals(UNIQUE_VIOLATION)
                || (state.equals(MARIADB_CONSTRAINT) && e.getErrorCode() == MARIADB_DUPLICATE)) {
            return DUPLICATE;
        }
        if (CONFLICTS.contains(state)
                || e.getErrorCode() == MARIADB_LOCK_TIMEOUT
                || e.getErrorCode() == H2_LOCK_TIMEOUT) {
            return CONFLICT;
        }
        boolean away =
                state.startsWith("08") || CUT_OFF.contains(state) || e instanceof SQLTransientConnectionException;
        return away ? AWAY : OTHER;
    }
}
