package dev.waybill.postgres.relay;

import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a session: saves what it has not saved, and releases its lease. */
final class SessionEnd {
    private static final Logger log = LoggerFactory.getLogger(SessionEnd.class);

    private SessionEnd() {}

    /** Saves the position. */
    interface Save {
        void rest() throws SQLException;
    }

    /**
     * Never throws.
     *
     * @param failed a session that failed saves nothing: the next one continues from the saved position
     */
    static void of(JournalLease lease, JournalConnection connection, boolean failed, Save save) {
        try {
            if (failed) {
                logUnsaved(lease, "one of its steps failed");
            } else {
                save.rest();
            }
            lease.release(connection);
        } catch (SQLException | RuntimeException e) {
            logUnsaved(lease, String.valueOf(e.getMessage()));
        } finally {
            try {
                lease.close();
            } finally {
                connection.closeQuietly();
            }
        }
    }

    private static void logUnsaved(JournalLease lease, String why) {
        log.info(
                "Relay {}: epoch {} ended without saving its last position ({}); the next session continues from the saved"
                        + " one, or from the position that the destination has committed.",
                lease.relay(),
                lease.epoch(),
                why);
    }
}
