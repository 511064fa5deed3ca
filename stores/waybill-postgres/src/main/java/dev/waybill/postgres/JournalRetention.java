package dev.waybill.postgres;

import dev.waybill.admin.Actor;
import dev.waybill.admin.PurgeStep;
import dev.waybill.spi.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Deletes what every relay is done with, a step at a time. */
final class JournalRetention {
    /** So many events are looked at in one transaction when a person purges. */
    private static final int STEP = 5_000;

    private final JournalConnection connection;
    private final Duration olderThan;
    /** Where the next step begins: what lies before was looked at and had to stay. */
    private long upTo;

    JournalRetention(JournalConnection connection, Duration olderThan, long upTo) {
        this.connection = connection;
        this.olderThan = olderThan;
        this.upTo = upTo;
    }

    long upTo() {
        return upTo;
    }

    PurgeStep step(int atMost) throws SQLException {
        return connection.inTransaction(() -> delete(atMost));
    }

    private PurgeStep delete(int atMost) throws SQLException {
        requireOwn();
        PreparedStatement log = connection.prepare(PostgresAdminSql.PURGE_LOG);
        log.setLong(1, olderThan.toMillis());
        log.executeUpdate();
        PreparedStatement statement = connection.prepare(PostgresAdminSql.PURGE);
        statement.setLong(1, olderThan.toMillis());
        statement.setLong(2, upTo);
        statement.setInt(3, atMost);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            boolean more = row.getInt(2) == atMost && row.getBoolean(4);
            upTo = more ? row.getLong(3) : 0;
            return new PurgeStep(row.getInt(1), more);
        }
    }

    /** Of a journal from another cluster nobody can tell what was published. */
    private void requireOwn() throws SQLException {
        ServerIdentity identity = ServerIdentity.of(connection::prepare);
        if (JournalOrigin.of(connection, "", identity).isForeign()) {
            throw new StoreException(
                    "This journal comes from another cluster than " + identity.current()
                            + ": what was published cannot be told, so nothing is deleted until it is adopted (`waybill adopt`).");
        }
    }

    /** A purge of several steps has an entry in the audit for its beginning, and one for its end. */
    long all(Actor by) throws SQLException {
        JournalAudit audit = new JournalAudit(connection, by, "purge", "");
        long deleted = 0;
        boolean more = true;
        for (boolean first = true; more; first = false) {
            long before = deleted;
            boolean begins = first;
            PurgeStep step = connection.inTransaction(() -> {
                PurgeStep done = delete(STEP);
                if (!done.more()) {
                    audit.write(before + done.deleted() + " events older than " + olderThan);
                } else if (begins) {
                    audit.write("begun: events older than " + olderThan);
                }
                return done;
            });
            deleted += step.deleted();
            more = step.more();
        }
        return deleted;
    }
}
