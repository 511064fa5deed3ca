package dev.waybill.jdbc.kernel;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Calls into PostgreSQL's driver; loaded only if the driver is on the class path. */
final class PostgresDriverCalls {
    private PostgresDriverCalls() {}

    static @Nullable String serverMessage(SQLException e) {
        @Nullable ServerErrorMessage said = e instanceof PSQLException server ? server.getServerErrorMessage() : null;
        return said == null ? null : said.getMessage();
    }

    static DataSource withSocketTimeout(DataSource dataSource, int seconds) {
        PGSimpleDataSource theirs = (PGSimpleDataSource) dataSource;
        if (theirs.getSocketTimeout() > 0) {
            return theirs;
        }
        PGSimpleDataSource copy = new PGSimpleDataSource();
        try {
            copy.initializeFrom(theirs);
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("A data source of PostgreSQL's driver cannot be copied.", e);
        }
        copy.setSocketTimeout(seconds);
        return copy;
    }

    static void planAnew(PreparedStatement statement) throws SQLException {
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
    }
}
