package dev.waybill.table.admin;

import dev.waybill.admin.Actor;
import dev.waybill.admin.PurgeStep;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.table.relay.TableReplays;
import dev.waybill.table.rows.TableAudit;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Deletes old published rows step by step. Never deletes a row that is pending, waits, is dead, or that a replay may still
 * send.
 */
final class TableRetention {
    /** Excludes rows that wait or are dead in a replay: any number of them may be the oldest. */
    private static final String OLD_ROWS = """
            select {id} from {table} t
             where {is_published} and {created_at} <= ? and {published_or_created} <= ?
               and not exists (select 1 from {claim} c join {replay} q on c.outbox = concat(q.outbox, '#', q.name)
                                where c.row_id = {id_text} and q.outbox = ?{row_by_row})
             order by {created_order} limit ?""";

    private static final String DELETE = "delete from {table} where {is_published} and {id} {among}";

    /** Rows deleted in one transaction when an operator purges. */
    private static final int STEP = 2_000;

    private final TableConnection connection;

    TableRetention(TableConnection connection) {
        this.connection = connection;
    }

    long all(Duration olderThan, Actor by) throws SQLException {
        TableAudit audit = new TableAudit(connection, by, "purge", "");
        return connection.purgeAll(olderThan, () -> step(olderThan, STEP), audit::write);
    }

    /** The age of a row counts from its publication, that of a discarded row from its creation. */
    PurgeStep step(Duration olderThan, int atMost) throws SQLException {
        if (connection.layout().state() instanceof TableState.Presence) {
            return new PurgeStep(0, false);
        }
        Instant youngest = connection.clock().minus(olderThan);
        Instant unread = TableReplays.unreadFrom(connection);
        Object before = connection.times().bind(unread.isBefore(youngest) ? unread : youngest);
        List<String> old =
                connection.query(OLD_ROWS, row -> row.getString(1), before, before, connection.outbox(), atMost);
        // A row that somebody else has locked is deleted in a later step.
        List<String> free = List.copyOf(new TableReader(connection).lockFree(old));
        int deleted = connection.amongFew(connection.ids(free)).delete("{id}", DELETE);
        return new PurgeStep(deleted, old.size() == atMost && deleted > 0);
    }
}
