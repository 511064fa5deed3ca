package dev.waybill.server.config;

import dev.waybill.server.secrets.AddressSecrets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The URL of a database and the login.
 *
 * @param password asked for each connection, because it may change
 */
public record JdbcAddress(String url, Optional<String> user, Optional<Supplier<String>> password) {
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final int LOGIN_SECONDS = 10;
    /** Ends the driver's thread that connects to a server that does not answer; its login timeout only stops waiting for it. */
    private static final int CONNECT_SECONDS = 30;

    /** Checks the URL before a driver sees it: drivers log it, and quote parts of it in their errors. */
    public JdbcAddress {
        JdbcUrl.check(url);
    }

    static JdbcAddress of(Section section) {
        return new JdbcAddress(section.text("url"), section.findText("user"), section.findChanging("password"));
    }

    boolean isPostgres() {
        return url.startsWith(POSTGRESQL);
    }

    /**
     * Opens a new connection each time: a relay keeps its own for as long as it runs.
     *
     * @throws IllegalArgumentException if no driver accepts the URL
     */
    public DataSource dataSource() {
        if (!isPostgres()) {
            requireDriver();
            return new DriverDataSource(() -> DriverManager.getConnection(url, properties()));
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw unusable();
        }
        user.ifPresent(source::setUser);
        source.setApplicationName("waybill");
        source.setLoginTimeout(LOGIN_SECONDS);
        if (source.getSocketTimeout() > 0) {
            return new DriverDataSource(() -> connect(source));
        }
        source.setSocketTimeout(CONNECT_SECONDS);
        return new DriverDataSource(() -> withoutSocketTimeout(connect(source)));
    }

    private Connection connect(PGSimpleDataSource source) throws SQLException {
        return source.getConnection(
                source.getUser(), password.map(Supplier::get).orElseGet(source::getPassword));
    }

    /** Whoever uses the connection sets its own. */
    private static Connection withoutSocketTimeout(Connection connection) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, 0);
            return connection;
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        user.ifPresent(name -> properties.setProperty("user", name));
        password.ifPresent(secret -> properties.setProperty("password", secret.get()));
        return properties;
    }

    private void requireDriver() {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw unusable();
        }
    }

    private static IllegalArgumentException unusable() {
        return new IllegalArgumentException(
                "no driver accepts the url: it must begin with jdbc:postgresql: or jdbc:mariadb:, as in"
                        + " jdbc:postgresql://localhost:5432/orders");
    }

    /** Without the password, and without possible secrets in the URL. */
    @Override
    public String toString() {
        return AddressSecrets.hiddenIn(url);
    }
}
