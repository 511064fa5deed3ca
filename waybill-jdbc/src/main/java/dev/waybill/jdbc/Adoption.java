package dev.waybill.jdbc;

import dev.waybill.admin.Actor;
import dev.waybill.spi.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Makes a journal that was restored into another cluster this one's own, without touching what was restored.
 *
 * <p>Positions and events of the other cluster speak of its xids. They stay as they are; instead the xids of this cluster are
 * written with an offset from now on, which lies above every number that came along. So all that was restored is in the past of
 * every snapshot that is taken here, and what a saved position had not yet seen of it is still told by that position. Only
 * events that were appended here before the adoption are moved up.
 */
final class Adoption {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final JournalConnection connection;
    private final Actor by;

    Adoption(JournalConnection connection, Actor by) {
        this.connection = connection;
        this.by = by;
    }

    /** @return how many relays go on from where they stood */
    int adopt() throws SQLException {
        ServerIdentity identity = ServerIdentity.of(connection::prepare);
        return connection.withoutTimeout().inTransaction(() -> {
            requireForeign(identity);
            requireNoLiveRelay();
            lockEvents();
            long moved = moveUp();
            PreparedStatement take = connection.prepare(PostgresAdoptionSql.TAKE_RELAYS);
            take.setString(1, identity.current());
            int relays = take.executeUpdate();
            new JournalAudit(connection, by, "adopt", "all")
                    .write("relays: " + relays + ", events appended before it: " + moved);
            return relays;
        });
    }

    /** What is this cluster's own would be published once more. */
    private void requireForeign(ServerIdentity identity) throws SQLException {
        if (!JournalOrigin.of(connection, "", identity).isForeign()) {
            throw new StoreException("Nothing in this journal comes from another cluster than " + identity.current()
                    + ": there is nothing to adopt. Nothing was changed.");
        }
    }

    private void requireNoLiveRelay() throws SQLException {
        try (ResultSet row = connection.prepare(PostgresLeaseSql.LIVE_RELAYS).executeQuery()) {
            row.next();
            if (row.getString(1) != null) {
                throw new StoreException("These relays still run: " + row.getString(1)
                        + ". Stop them, wait until their leases end, and adopt again. Nothing was changed.");
            }
        }
    }

    private void lockEvents() throws SQLException {
        connection.prepare(PostgresAdoptionSql.SHORT_LOCK_TIMEOUT).execute();
        try {
            connection.prepare(PostgresAdoptionSql.LOCK_EVENTS).execute();
        } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw new StoreException(
                        "A transaction that uses waybill.event is still open after 3 s. End it, or adopt again when it has"
                                + " ended. Nothing was changed.",
                        e);
            }
            throw e;
        }
    }

    private long moveUp() throws SQLException {
        try (ResultSet row = connection.prepare(PostgresAdoptionSql.STANDING).executeQuery()) {
            row.next();
            long before = row.getLong(1);
            long offset = row.getLong(2);
            long restored = row.getLong(3);
            long now = row.getLong(4);
            long moved = moveOwnEvents(before, offset, restored, now);
            PreparedStatement set = connection.prepare(PostgresAdoptionSql.SET_OFFSET);
            set.setLong(1, offset);
            set.executeUpdate();
            connection.prepare(PostgresAdoptionSql.addToNewXids(offset)).execute();
            return moved;
        }
    }

    private long moveOwnEvents(long before, long offset, long restored, long now) throws SQLException {
        PreparedStatement move = connection.prepare(PostgresAdoptionSql.MOVE_OWN_EVENTS);
        move.setLong(1, before);
        move.setLong(2, offset);
        move.setObject(3, Long.toString(restored + before), Types.OTHER);
        move.setObject(4, Long.toString(now + before), Types.OTHER);
        move.setLong(5, before);
        move.setLong(6, now);
        move.setLong(7, now);
        return move.executeUpdate();
    }
}
