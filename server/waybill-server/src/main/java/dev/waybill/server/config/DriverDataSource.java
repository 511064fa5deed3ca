package dev.waybill.server.config;

import dev.waybill.spi.TlsFailure;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source for any JDBC driver. */
final class DriverDataSource implements DataSource {
    private final Opening opening;

    /** Opens a connection with the login as it is now. */
    interface Opening {
        Connection open() throws SQLException;
    }

    DriverDataSource(Opening opening) {
        this.opening = opening;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return opening.open();
        } catch (SQLException e) {
            throw withoutBadAdvice(e);
        }
    }

    /** Commands print the messages of all causes, so none may advise to trust every certificate. */
    private static SQLException withoutBadAdvice(SQLException e) {
        return TlsFailure.of(e)
                .filter(failure -> TlsFailure.advisesToTrustAll(e))
                .map(failure -> new SQLException(failure.what(), e.getSQLState(), e.getErrorCode()))
                .orElse(e);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw notSupported();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        throw notSupported();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw notSupported();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw notSupported();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw notSupported();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw notSupported();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    private static SQLFeatureNotSupportedException notSupported() {
        return new SQLFeatureNotSupportedException("This data source only opens connections.");
    }
}
