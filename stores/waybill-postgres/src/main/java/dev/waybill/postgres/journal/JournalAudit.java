package dev.waybill.postgres.journal;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventQuery;
import dev.waybill.jdbc.kernel.ErrorText;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Writes audit entries of one command, in the transactions of its changes. Entries are never changed.
 *
 * @param relay empty if the command is not about one relay
 */
public record JournalAudit(JournalConnection connection, Actor by, String action, String relay) {
    private static final String WRITE_AUDIT =
            "insert into waybill.audit (who, why, action, relay, details) values (?, ?, ?, ?, ?)";

    private static final String NOTE_ACT = "select waybill.note_act(?, ?, ?, ?, ?)";

    private static final String NOTE_DENIAL = "select waybill.note_denial(?, ?, ?, ?, ?)";

    private static final int LONGEST_DETAILS = 4_000;

    /** Cut again, because relays may write to the audit too. */
    private static final String READ_AUDIT = """
            select at, left(coalesce(said, who), %1$d), left(why, %1$d), left(action, %1$d), left(relay, %1$d), left(details, %1$d),
                   left(who, %1$d), host(address), xid is not null, allowed, id
              from waybill.audit where id < ? order by id desc limit ?""".formatted(LONGEST_DETAILS);

    public void write(String details) throws SQLException {
        String cut = ErrorText.cut(details, LONGEST_DETAILS);
        connection.update(WRITE_AUDIT, by.who(), by.why(), action, relay, cut);
    }

    /** Calls the functions for roles that may not write to the audit. */
    public void note(String details, boolean allowed) throws SQLException {
        connection.execute(
                allowed ? NOTE_ACT : NOTE_DENIAL,
                action,
                relay,
                ErrorText.cut(details, LONGEST_DETAILS),
                by.who(),
                by.why());
    }

    public static List<AuditEntry> read(JournalConnection connection, Optional<String> after, int atMost)
            throws SQLException {
        return connection.query(
                READ_AUDIT,
                row -> new AuditEntry(
                        row.getString(11),
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
                EventQuery.number(after),
                atMost);
    }
}
