package dev.waybill.postgres;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.jdbc.kernel.ErrorText;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Entries in the audit about one command, written in the transactions of what it changes; nothing there is ever changed. */
final class JournalAudit {
    private static final String WRITE_AUDIT =
            "insert into waybill.audit (who, why, action, relay, details) values (?, ?, ?, ?, ?)";

    private static final String NOTE_ACT = "select waybill.note_act(?, ?, ?, ?, ?)";

    private static final String NOTE_DENIAL = "select waybill.note_denial(?, ?, ?, ?, ?)";

    private static final String READ_AUDIT = """
            select at, coalesce(said, who), why, action, relay, details, who, host(address), xid is not null, allowed
              from waybill.audit order by id desc limit ?""";

    /** Beyond that what was asked for is cut, and the count stays. */
    private static final int LONGEST_DETAILS = 4_000;

    private final JournalConnection connection;
    private final Actor by;
    private final String action;
    private final String relay;

    /** @param relay empty when it concerns none alone */
    JournalAudit(JournalConnection connection, Actor by, String action, String relay) {
        this.connection = connection;
        this.by = by;
        this.action = action;
        this.relay = relay;
    }

    void write(String details) throws SQLException {
        String cut = ErrorText.cut(details, LONGEST_DETAILS);
        connection.update(WRITE_AUDIT, by.who(), by.why(), action, relay, cut);
    }

    /** Through the function for people who may not write there themselves. */
    void note(String details, boolean allowed) throws SQLException {
        connection.execute(
                allowed ? NOTE_ACT : NOTE_DENIAL,
                action,
                relay,
                ErrorText.cut(details, LONGEST_DETAILS),
                by.who(),
                by.why());
    }

    static List<AuditEntry> read(JournalConnection connection, int atMost) throws SQLException {
        return connection.query(
                READ_AUDIT,
                row -> new AuditEntry(
                        row.getTimestamp(1).toInstant(),
                        Actor.recorded(row.getString(2), row.getString(3)),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getBoolean(9)
                                ? Optional.of(
                                        new AuditEntry.Login(row.getString(7), Optional.ofNullable(row.getString(8))))
                                : Optional.empty(),
                        row.getBoolean(10)),
                atMost);
    }
}
