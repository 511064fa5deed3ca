package dev.waybill.postgres;

import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Tells a server session of one's own from one that a pooler in transaction mode shares, before anything is set in it: what is
 * set in a shared session stays for its next user.
 *
 * <p>PostgreSQL names its process when a client connects; a pooler answers that greeting itself, so behind one the process that
 * answers a query is another. Where the greeting is not to be had, or differs, two connections ask by turns which process serves
 * them. In session mode each keeps its own; in transaction mode they meet the same one, or move.
 */
final class PoolerCheck {
    private static final int ROUNDS = 8;

    private PoolerCheck() {}

    /** Leaves the connection as it was, unless it is refused. */
    static void requireOwnSession(Connection connection, DataSource dataSource) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        int answering = backendPid(connection);
        if (greetedBy(connection) != answering) {
            BorrowedConnection other = BorrowedConnection.toLook(dataSource);
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

    /** @return 0 when it cannot be told */
    private static int greetedBy(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                ? connection.unwrap(PGConnection.class).getBackendPID()
                : 0;
    }

    /** Without a prepared statement: behind a pooler the next server process would not know it. */
    static int backendPid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(PostgresJournalSql.BACKEND_PID)) {
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
