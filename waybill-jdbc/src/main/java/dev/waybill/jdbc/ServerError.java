package dev.waybill.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What the server said, fit for logs. */
final class ServerError {
    private ServerError() {}

    /**
     * Without detail and context: there PostgreSQL quotes the row that failed, payload, key and headers included. MariaDB and H2
     * quote values in the message itself, so theirs is left out where it is about a value.
     */
    static SQLException withoutRows(SQLException e) {
        @Nullable ServerErrorMessage said = e instanceof PSQLException server ? server.getServerErrorMessage() : null;
        if (said == null && !isAboutValues(e)) {
            return e;
        }
        String message = said == null || said.getMessage() == null
                ? "the database did not take a value (its error " + e.getErrorCode() + ")"
                : said.getMessage();
        SQLException safe = new SQLException(message, e.getSQLState(), e.getErrorCode());
        safe.setStackTrace(e.getStackTrace());
        return safe;
    }

    /** Data exceptions and violated constraints; MariaDB says HY000 when a value is of another type than its column. */
    private static boolean isAboutValues(SQLException e) {
        @Nullable String state = e.getSQLState();
        return !(e instanceof PSQLException)
                && state != null
                && (state.startsWith("22") || state.startsWith("23") || state.equals("HY000"));
    }
}
