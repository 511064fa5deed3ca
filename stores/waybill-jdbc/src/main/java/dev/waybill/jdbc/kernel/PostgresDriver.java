package dev.waybill.jdbc.kernel;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Functions of PostgreSQL's driver. The driver may not be on the class path, so its classes are recognized by name before any of
 * them is loaded.
 */
public final class PostgresDriver {
    private static final String PACKAGE = "org.postgresql.";

    private PostgresDriver() {}

    static boolean made(SQLException e) {
        return e.getClass().getName().startsWith(PACKAGE);
    }

    /** The server's message, without detail and context. */
    static @Nullable String serverMessage(SQLException e) {
        return made(e) ? PostgresDriverCalls.serverMessage(e) : null;
    }

    /** A copy of the application's data source with a socket timeout, or the data source itself if it has one. */
    static DataSource withSocketTimeout(DataSource dataSource, int seconds) {
        return dataSource.getClass().getName().equals(PACKAGE + "ds.PGSimpleDataSource")
                ? PostgresDriverCalls.withSocketTimeout(dataSource, seconds)
                : dataSource;
    }

    /** Makes PostgreSQL plan the statement each time it runs. */
    public static void planAnew(PreparedStatement statement) throws SQLException {
        PostgresDriverCalls.planAnew(statement);
    }
}
