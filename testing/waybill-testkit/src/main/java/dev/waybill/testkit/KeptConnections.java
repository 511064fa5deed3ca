package dev.waybill.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.sql.DataSource;

/** Connections that are reused, because thousands of short runs would otherwise spend most of their time connecting. */
public final class KeptConnections implements JdbcFaults.Source {
    private static final int VALIDATION_SECONDS = 10;

    private final DataSource source;
    private final Database kind;
    private final Deque<Connection> kept = new ConcurrentLinkedDeque<>();

    /** Connections to PostgreSQL. */
    public KeptConnections(DataSource source) {
        this(source, Database.POSTGRESQL);
    }

    public KeptConnections(DataSource source, Database kind) {
        this.source = source;
        this.kind = kind;
    }

    @Override
    public Connection take() throws SQLException {
        Connection connection = kept.poll();
        // The server may have been restarted meanwhile.
        return connection != null && connection.isValid(VALIDATION_SECONDS) ? connection : source.getConnection();
    }

    /** Resets the connection as if it were closed: rolls back and restores the initial state. */
    @Override
    public void giveBack(Connection connection) throws SQLException {
        if (kind == Database.H2) {
            connection.close();
            return;
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        connection.setReadOnly(false);
        connection.setNetworkTimeout(Runnable::run, 0);
        if (kind == Database.MARIADB) {
            connection.unwrap(org.mariadb.jdbc.Connection.class).reset();
        } else {
            try (Statement statement = connection.createStatement()) {
                statement.execute("discard all");
            }
        }
        kept.push(connection);
    }
}
