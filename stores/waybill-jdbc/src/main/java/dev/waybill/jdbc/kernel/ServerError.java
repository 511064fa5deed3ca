package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.sql.BatchUpdateException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The server's error message without data, for logs. */
public final class ServerError {
    private ServerError() {}

    /**
     * Without detail and context, where PostgreSQL quotes the failed row with payload, key and headers. MariaDB and H2 quote values
     * in the message itself, so messages about values are omitted. Drivers quote a whole batch with its bound values, so for a
     * batch only the server's message is kept.
     */
    public static SQLException withoutRows(SQLException e) {
        SQLException said = e instanceof BatchUpdateException ? within(e) : e;
        @Nullable String message = PostgresDriver.serverMessage(said);
        if (message == null && said == e && !isAboutValues(e)) {
            return e;
        }
        if (message == null) {
            message = isAboutValues(said) ? withoutValue(said) : said.getMessage();
        }
        SQLException safe = new SQLException(message, said.getSQLState(), said.getErrorCode());
        safe.setStackTrace(e.getStackTrace());
        return safe;
    }

    /** Errors of the driver itself have no number. */
    private static String withoutValue(SQLException e) {
        return e.getErrorCode() == 0
                ? "the driver cannot convert a value"
                : "the database refused a value (its error " + e.getErrorCode() + ")";
    }

    /** The error of one statement, chained to the error of its batch. */
    private static SQLException within(SQLException batch) {
        for (Throwable each : batch) {
            if (each instanceof SQLException one && !(one instanceof BatchUpdateException)) {
                return one;
            }
        }
        return new SQLException("a batch of statements failed", batch.getSQLState(), batch.getErrorCode());
    }

    /**
     * Data exceptions and violated constraints; MariaDB uses HY000 for a value of the wrong type, and its driver no state for a value
     * that it cannot decode.
     */
    private static boolean isAboutValues(SQLException e) {
        @Nullable String state = e.getSQLState();
        return e instanceof SQLDataException
                || (state != null
                        && (state.startsWith("22")
                                || state.startsWith("23")
                                || (state.equals("HY000")
                                        && MariaDbErrors.kindOf(e.getErrorCode()) == FailureKind.FAILED)));
    }
}
