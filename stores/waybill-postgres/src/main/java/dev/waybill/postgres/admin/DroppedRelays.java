package dev.waybill.postgres.admin;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.StoreRefusedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Drops and restores relays. The name of a dropped relay is kept, so that a process that still has it in its configuration does
 * not start it again and publish the whole journal.
 */
record DroppedRelays(JournalConnection connection, RelayName relay, Actor by) {
    private static final String DROP = "select was_dropped, run_by, run_until from waybill.drop_relay(?, ?, ?)";

    private static final String RESTORE = "select waybill.restore_relay(?, ?, ?)";

    /** @return false if there is no such relay */
    boolean drop() throws SQLException {
        return connection.one(DROP, this::wasDropped, relay.value(), by.who(), by.why());
    }

    private boolean wasDropped(ResultSet row) throws SQLException {
        @Nullable Timestamp until = row.getTimestamp(3);
        if (until != null) {
            throw new StoreRefusedException("Relay " + relay + " was not dropped: " + row.getString(2)
                    + " runs it, with a lease until "
                    + until.toInstant()
                    + ". Stop it in every process that has it in its configuration, then drop it."
                    + " Nothing was changed.");
        }
        return row.getBoolean(1);
    }

    /** @return false if no relay of that name was dropped */
    boolean restore() throws SQLException {
        return connection.one(RESTORE, row -> row.getBoolean(1), relay.value(), by.who(), by.why());
    }
}
