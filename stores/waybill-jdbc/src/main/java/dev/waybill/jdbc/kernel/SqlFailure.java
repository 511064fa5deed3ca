package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a database's error says about who is at fault, and whether a key was there. */
public enum SqlFailure {
    /** A row with this key is there. */
    DUPLICATE,
    /** Lost against another transaction; try again. */
    CONFLICT,
    /** The database is away, cut the connection, or cannot take work now. */
    AWAY,
    /** Something else: whoever wrote the statement must look. */
    OTHER;

    private static final String UNIQUE_VIOLATION = "23505";
    /** MariaDB has one SQLSTATE for all constraints. */
    private static final String MARIADB_CONSTRAINT = "23000";

    private static final Set<Integer> MARIADB_DUPLICATE = Set.of(1062, 1586);

    /** Looks through the causes, too: frameworks wrap what the driver threw. */
    public static SqlFailure of(@Nullable Throwable failure) {
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
                || (state.equals(MARIADB_CONSTRAINT) && MARIADB_DUPLICATE.contains(e.getErrorCode()))) {
            return DUPLICATE;
        }
        return switch (FailureKind.of(e)) {
            case CONFLICT -> CONFLICT;
            case AWAY -> AWAY;
            case FAILED -> OTHER;
        };
    }
}
