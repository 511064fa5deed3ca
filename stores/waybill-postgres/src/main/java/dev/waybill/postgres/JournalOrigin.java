package dev.waybill.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether what a journal holds was written in this cluster, where its xids mean what they say.
 *
 * @param other the cluster that a position was saved on, if it is another one
 * @param eventsAhead whether there are events whose xid this server has not given out yet
 * @param upgraded whether positions have another identifier although the schema was not written anew, as after pg_upgrade
 * @param own what the asking relay's position is saved under
 * @param known whether the identity kept in the schema was seen with this cluster's identifier before
 */
record JournalOrigin(
        Optional<String> other, boolean eventsAhead, boolean upgraded, Optional<String> own, boolean known) {

    /** @param relay who asks; may be a name that no relay has */
    static JournalOrigin of(JournalConnection connection, String relay, ServerIdentity identity) throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresJournalSql.FOREIGN);
        statement.setString(1, relay);
        statement.setString(2, identity.current());
        statement.setString(3, identity.kept());
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            Optional<String> other = Optional.ofNullable(row.getString("system_id"));
            boolean upgraded = other.isEmpty() && identity.shown().isPresent() && row.getBoolean("moved");
            return new JournalOrigin(
                    upgraded && isWrittenAnew(connection) ? Optional.of("that had another identifier") : other,
                    row.getBoolean("events"),
                    upgraded,
                    Optional.ofNullable(row.getString("own")),
                    row.getBoolean("known"));
        }
    }

    /**
     * After pg_upgrade an event's row still bears the xid that its column tells, or those of several subtransactions; a restore
     * gives all rows its own.
     */
    private static boolean isWrittenAnew(JournalConnection connection) throws SQLException {
        try (ResultSet row = connection.prepare(PostgresJournalSql.OWN_XIDS).executeQuery()) {
            row.next();
            boolean writtenByOne = row.getLong("transactions") > 1 && row.getLong("writers") == 1;
            return writtenByOne && row.getLong("with_own_xid") == 0;
        }
    }

    boolean isForeign() {
        return other.isPresent() || eventsAhead;
    }
}
