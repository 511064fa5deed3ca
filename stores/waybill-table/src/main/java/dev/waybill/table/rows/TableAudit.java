package dev.waybill.table.rows;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventQuery;
import dev.waybill.jdbc.kernel.ErrorText;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Audit entries for one command, written in the transaction of its change. Entries are never updated. */
public final class TableAudit {
    private static final String WRITE_AUDIT = """
            insert into {audit} (done_at, who, why, action, outbox, relay, details)
            values ({clock}, ?, ?, ?, ?, ?, ?)""";

    private static final String READ_AUDIT = """
            select done_at, who, why, action, relay, details, id from {audit}
             where outbox = ? and id < ? order by id desc limit ?""";

    private static final int LONGEST_DETAILS = 4_000;

    private final TableConnection connection;
    private final Actor by;
    private final String action;
    private final String relay;

    /** @param relay empty if the command concerns no single relay */
    public TableAudit(TableConnection connection, Actor by, String action, String relay) {
        this.connection = connection;
        this.by = by;
        this.action = action;
        this.relay = relay;
    }

    public void write(String details) throws SQLException {
        String cut = ErrorText.cut(details, LONGEST_DETAILS);
        connection.update(
                WRITE_AUDIT,
                ErrorText.cut(by.who(), 200),
                ErrorText.cut(by.why(), 1_000),
                action,
                connection.layout().table(),
                relay,
                cut);
    }

    public static List<AuditEntry> read(TableConnection connection, Optional<String> after, int atMost)
            throws SQLException {
        return connection.query(
                READ_AUDIT,
                row -> new AuditEntry(
                        row.getString(7),
                        TableTimes.instant(row.getLong(1)),
                        Actor.recorded(row.getString(2), row.getString(3)),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6)),
                connection.layout().table(),
                EventQuery.number(after),
                atMost);
    }
}
