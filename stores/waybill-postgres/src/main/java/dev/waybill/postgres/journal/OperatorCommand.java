package dev.waybill.postgres.journal;

import dev.waybill.admin.Actor;
import dev.waybill.jdbc.kernel.SqlRemedy;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command of an operator. If the database denies it, an audit entry is written over another connection, since everything the
 * command wrote is rolled back.
 *
 * @param relay empty if the command is not about one relay
 * @param needs the option of {@code waybill init} that grants the privileges of this command
 */
public record OperatorCommand(DataSource dataSource, Actor by, String action, String relay, String needs) {
    private static final Logger log = LoggerFactory.getLogger(OperatorCommand.class);

    /** The option of {@code waybill init} that grants what most commands need. */
    public static final String OPERATOR = "--operator";

    /** The option of {@code waybill init} that grants reading payloads. */
    public static final String REVEALER = "--revealer";

    /**
     * @param details what the operator asked for, for the audit
     * @param what describes the work in errors
     */
    public <R> R run(String details, String what, StoreConnection.Work<JournalConnection, R> work) {
        try {
            return JournalConnection.once(dataSource, what, work);
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && SqlRemedy.isDenied(cause)) {
                recordDenial(details);
                throw StoreConnection.failed(what, cause, SqlRemedy.ofCommand(cause, needs));
            }
            throw e;
        }
    }

    private void recordDenial(String details) {
        try {
            JournalConnection.once(dataSource, "recording a denied command", connection -> {
                new JournalAudit(connection, by, action, relay).note(details, false);
                return action;
            });
        } catch (StoreException e) {
            log.warn(
                    "The denied command {} by {} is not in the audit: this role may not write there either.",
                    action,
                    by.who());
        }
    }
}
