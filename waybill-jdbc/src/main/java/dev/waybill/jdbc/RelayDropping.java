package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.StoreRefusedException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Forgets a relay of the journal. Its name is remembered as dropped, so that a process that still has it in its configuration
 * does not begin it anew and publish the whole journal again.
 */
final class RelayDropping {
    private final JournalConnection connection;
    private final RelayName relay;
    private final Actor by;

    RelayDropping(JournalConnection connection, RelayName relay, Actor by) {
        this.connection = connection;
        this.relay = relay;
        this.by = by;
    }

    /** @return false when there is no such relay */
    boolean drop() throws SQLException {
        return connection.inTransaction(() -> {
            update(connection.prepare(PostgresMendingSql.LOCK_RELAY));
            boolean replay = JournalReplays.isReplay(connection, relay);
            if (!replay) {
                requireStopped();
            }
            boolean found = update(connection.prepare(PostgresLeaseSql.DROP)) == 1;
            if (found && !replay) {
                PreparedStatement tombstone = connection.prepare(PostgresLeaseSql.LEAVE_TOMBSTONE);
                tombstone.setString(2, by.who());
                tombstone.setString(3, by.why());
                update(tombstone);
            }
            audit("drop", found ? "" : "no such relay");
            return found;
        });
    }

    /** @return false when no relay of that name was dropped */
    boolean restore() throws SQLException {
        return connection.inTransaction(() -> {
            boolean found = update(connection.prepare(PostgresLeaseSql.RESTORE)) == 1;
            if (found) {
                audit("restore", "");
            }
            return found;
        });
    }

    /** A replay may be dropped while it runs: nothing begins it again. */
    private void requireStopped() throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresLeaseSql.LIVE);
        statement.setString(1, relay.value());
        try (ResultSet row = statement.executeQuery()) {
            if (row.next()) {
                throw new StoreRefusedException("Relay " + relay + " is not dropped: " + row.getString(1)
                        + " runs it, with a lease until "
                        + row.getTimestamp(2).toInstant()
                        + ". Stop it in every process that has it in its configuration, then drop it."
                        + " Nothing was changed.");
            }
        }
    }

    private int update(PreparedStatement statement) throws SQLException {
        statement.setString(1, relay.value());
        statement.execute();
        return Math.max(0, statement.getUpdateCount());
    }

    private void audit(String action, String details) throws SQLException {
        new JournalAudit(connection, by, action, relay.value()).write(details);
    }
}
