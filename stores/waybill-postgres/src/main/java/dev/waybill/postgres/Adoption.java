package dev.waybill.postgres;

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
    private static final long XIDS_OF_AN_EPOCH = 1L << 32;

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
            requireNotSubscribed();
            requireNoLiveRelay();
            lockEvents();
            int moved = moveUp();
            PreparedStatement take = connection.prepare(PostgresAdoptionSql.TAKE_RELAYS);
            take.setString(1, identity.current());
            int relays = take.executeUpdate();
            if (identity.shown().isPresent()) {
                JournalGate.note(connection, identity);
            }
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

    /** It would bring more events of the other cluster, for which no offset is left. */
    private void requireNotSubscribed() throws SQLException {
        try (ResultSet row = connection.prepare(PostgresServerSql.SUBSCRIPTION).executeQuery()) {
            if (row.next()) {
                throw new StoreException(
                        "waybill.event is still filled by logical replication. Stop the services that append"
                                + " at its source, wait until all has come, drop the subscription, and adopt again. Nothing was"
                                + " changed.");
            }
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

    /** @return how many events were moved */
    private int moveUp() throws SQLException {
        try (ResultSet row = connection.prepare(PostgresAdoptionSql.STANDING).executeQuery()) {
            row.next();
            long added = row.getLong(1);
            long offset = roundUp(row.getLong(2));
            long restored = row.getLong(3);
            long now = row.getLong(4);
            PreparedStatement move = connection.prepare(PostgresAdoptionSql.MOVE_OWN_EVENTS);
            move.setLong(1, added);
            move.setLong(2, offset);
            move.setLong(3, now);
            move.setLong(4, row.getLong(5));
            move.setObject(5, Long.toString(restored + added), Types.OTHER);
            move.setObject(6, Long.toString(now + added), Types.OTHER);
            int moved = move.executeUpdate();
            PreparedStatement set = connection.prepare(PostgresAdoptionSql.SET_OFFSET);
            set.setLong(1, offset);
            set.setLong(2, now);
            set.executeUpdate();
            connection.prepare(PostgresAdoptionSql.addToNewXids(offset)).execute();
            return moved;
        }
    }

    /** To a multiple of 2^32: PostgreSQL takes no xid whose lower 32 bits are all 0, and it never gives one out. */
    private static long roundUp(long xid) {
        return (xid + XIDS_OF_AN_EPOCH) / XIDS_OF_AN_EPOCH * XIDS_OF_AN_EPOCH;
    }
}
