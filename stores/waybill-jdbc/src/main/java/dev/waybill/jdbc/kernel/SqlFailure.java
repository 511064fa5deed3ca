package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies a database error. */
public enum SqlFailure {
    /** A row with this key exists. */
    DUPLICATE,
    /** Conflict with another transaction; retry. */
    CONFLICT,
    /** The database is unavailable or overloaded, or closed the connection. */
    UNAVAILABLE,
    /** Any other error, such as an invalid statement. */
    OTHER;

    private static final String UNIQUE_VIOLATION = "23505";
    /** MariaDB's only SQLSTATE for violated constraints. */
    private static final String MARIADB_CONSTRAINT = "23000";

    private static final Set<Integer> MARIADB_DUPLICATE = Set.of(1062, 1586);

    /** Examines causes too, because frameworks wrap the driver's exceptions. */
    public static SqlFailure of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return of(sql);
            }
        }
        return OTHER;
    }

    /**
     * Whether the same statement may succeed later, as after a lock timeout or a lost connection. Such an error does not tell whether
     * a table is there and what a user may do with it.
     */
    public static boolean mayPass(SQLException e) {
        SqlFailure failure = of(e);
        return failure == CONFLICT || failure == UNAVAILABLE;
    }

    private static SqlFailure of(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.equals(UNIQUE_VIOLATION)
                || (state.equals(MARIADB_CONSTRAINT) && MARIADB_DUPLICATE.contains(e.getErrorCode()))) {
            return DUPLICATE;
        }
        return switch (FailureKind.of(e)) {
            case CONFLICT -> CONFLICT;
            case UNAVAILABLE -> UNAVAILABLE;
            case FAILED -> OTHER;
        };
    }
}
