package dev.waybill.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What the server said, fit for logs. */
final class ServerError {
    private ServerError() {}

    /** Without detail and context: there PostgreSQL quotes the row that failed, payload, key and headers included. */
    static SQLException withoutRows(SQLException e) {
        @Nullable ServerErrorMessage said = e instanceof PSQLException server ? server.getServerErrorMessage() : null;
        if (said == null) {
            return e;
        }
        SQLException safe = new SQLException(said.getMessage(), e.getSQLState(), e.getErrorCode());
        safe.setStackTrace(e.getStackTrace());
        return safe;
    }
}
