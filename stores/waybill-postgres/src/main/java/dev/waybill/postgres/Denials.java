package dev.waybill.postgres;

import dev.waybill.admin.Actor;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves an entry in the audit when the database denies somebody what they asked for. What is denied is rolled back with all it
 * wrote, so the entry is written afterwards, over a connection of its own.
 */
final class Denials {
    private static final Logger log = LoggerFactory.getLogger(Denials.class);
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final DataSource dataSource;
    private final Actor by;
    private final String action;
    private final String relay;

    /** @param relay empty when it concerns none alone */
    Denials(DataSource dataSource, Actor by, String action, String relay) {
        this.dataSource = dataSource;
        this.by = by;
        this.action = action;
        this.relay = relay;
    }

    /** @param details what was asked for */
    <R> R told(String details, Supplier<R> request) {
        try {
            return request.get();
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && INSUFFICIENT_PRIVILEGE.equals(cause.getSQLState())) {
                tell(details);
            }
            throw e;
        }
    }

    private void tell(String details) {
        try {
            JournalConnection.once(dataSource, "noting what was denied", connection -> {
                new JournalAudit(connection, by, action, relay).note(details, false);
                return action;
            });
        } catch (StoreException e) {
            log.warn(
                    "What was denied ({} by {}) is in no audit: this role may not write there either.",
                    action,
                    by.who());
        }
    }
}
