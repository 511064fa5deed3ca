package dev.waybill.table.relay;

import dev.waybill.table.rows.TableConnection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The process of a PostgreSQL server that serves a connection. Rows are marked by their numbers, and after a crash or a failover that
 * lost commits the server gives the same numbers to other rows. No process of the server outlives that.
 *
 * @param begun when it began, because process ids are used again
 */
record ServerProcess(int pid, String begun) {
    private static final String OWN = """
            select pid, extract(epoch from backend_start)::text from pg_stat_activity
             where pid = pg_backend_pid() and backend_start is not null""";

    private static final String MAY_NOT_LOOK = "42501";

    /** A role without the privilege does not see when processes of other roles began. */
    private static final String IS_ALIVE = "select from pg_stat_activity"
            + " where pid = ? and extract(epoch from backend_start)::text = ? and datname = current_database()";

    /** Empty if the server does not show it. */
    static Optional<ServerProcess> of(TableConnection connection) throws SQLException {
        try {
            return connection.first(OWN, row -> new ServerProcess(row.getInt(1), row.getString(2)));
        } catch (SQLException e) {
            if (MAY_NOT_LOOK.equals(e.getSQLState())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Fails unless this process lives on the server that the other connection leads to. */
    void requireAliveAt(TableConnection other) throws SQLException {
        if (!other.exists(IS_ALIVE, pid, begun)) {
            throw new SQLException(
                    "the server that it leads to does not show process " + pid
                            + ", which serves the session: the server has changed or was restarted, or the role is another one");
        }
    }
}
