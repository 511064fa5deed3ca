package dev.waybill.postgres.journal;

import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.SessionSettings;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Detects a pooler in transaction mode before any setting is made: a setting made in a shared server session stays there for its
 * next user.
 *
 * <p>PostgreSQL sends the id of its process when a client connects. A pooler answers that itself, so behind one the process that
 * answers a query is another. If the id is unknown or differs, two connections ask in turn which process serves them. In session
 * mode each keeps its own; in transaction mode both get the same one, or one of them changes.
 */
final class PoolerCheck {
    static final String BACKEND_PID = "select pg_backend_pid()";

    private static final int ROUNDS = 8;

    private PoolerCheck() {}

    /** Restores autocommit, unless the connection is refused. */
    static void requireOwnSession(Connection connection, DataSource dataSource) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        int answering = backendPid(connection);
        if (pidAtConnect(connection) != answering) {
            BorrowedConnection other = BorrowedConnection.toLook(dataSource, SessionSettings.NONE);
            try {
                compare(connection, other.connection(), answering);
            } finally {
                other.giveBack();
            }
        }
        connection.setAutoCommit(autoCommit);
    }

    private static void compare(Connection connection, Connection other, int first) throws SQLException {
        int firstOfOther = backendPid(other);
        for (int round = 0; round < ROUNDS; round++) {
            int own = backendPid(connection);
            int others = backendPid(other);
            if (own != first || others != firstOfOther || own == others) {
                throw moved(first, own == first ? others : own);
            }
        }
    }

    /** @return 0 if unknown */
    private static int pidAtConnect(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                ? connection.unwrap(PGConnection.class).getBackendPID()
                : 0;
    }

    /** Not a prepared statement, which the next server process behind a pooler would not know. */
    static int backendPid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(BACKEND_PID)) {
            row.next();
            return row.getInt(1);
        }
    }

    static StoreRefusedException moved(int from, int to) {
        return new StoreRefusedException("The journal's connection moved from server process " + from + " to " + to
                + " between two statements: something between Waybill and PostgreSQL pools connections by transaction."
                + " Connect to PostgreSQL directly, or through a pooler in session mode.");
    }
}
