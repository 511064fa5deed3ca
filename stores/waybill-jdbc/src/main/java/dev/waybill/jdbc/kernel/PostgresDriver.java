package dev.waybill.jdbc.kernel;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What only PostgreSQL's driver can do. The driver may not be there, so what is asked for is told by its class's name before a
 * class of the driver is touched.
 */
public final class PostgresDriver {
    private static final String PACKAGE = "org.postgresql.";

    private PostgresDriver() {}

    static boolean made(SQLException e) {
        return e.getClass().getName().startsWith(PACKAGE);
    }

    /** What the server said, without detail and context. */
    static @Nullable String serverMessage(SQLException e) {
        return made(e) ? PostgresDriverCalls.serverMessage(e) : null;
    }

    /** The data source with a socket timeout, in a copy, for it is the application's; or itself, when it has one already. */
    static DataSource withSocketTimeout(DataSource dataSource, int seconds) {
        return dataSource.getClass().getName().equals(PACKAGE + "ds.PGSimpleDataSource")
                ? PostgresDriverCalls.withSocketTimeout(dataSource, seconds)
                : dataSource;
    }

    /** Has a statement on PostgreSQL planned each time it runs. */
    public static void planAnew(PreparedStatement statement) throws SQLException {
        PostgresDriverCalls.planAnew(statement);
    }
}
