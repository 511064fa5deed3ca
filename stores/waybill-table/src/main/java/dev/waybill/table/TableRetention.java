package dev.waybill.table;

import dev.waybill.admin.Actor;
import dev.waybill.admin.PurgeStep;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Deletes published rows that are old enough, a step at a time; never one that is pending, waits or is dead, or that a replay
 * has yet to send.
 */
final class TableRetention {
    /** Without what waits or is dead in a replay: any number of such rows may be the oldest. */
    private static final String OVER = """
            select {id} from {table} t
             where {is_published} and {created_at} <= ? and {published_or_created} <= ?
               and not exists (select 1 from {claim} c join {replay} q on c.outbox = concat(q.outbox, '#', q.name)
                                where c.row_id = {id_text} and q.outbox = ?{row_by_row})
             order by {created_order} limit ?""";

    private static final String DELETE = "delete from {table} where {is_published} and {id} {among}";

    /** A replay has yet to read rows that are so much older than the one it has come to. */
    private static final Duration DISORDER = Duration.ofMinutes(10);

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

    /** The age of a row counts from its publishing; of one that was given up, from its creation. */
    PurgeStep step(Duration olderThan, int atMost) throws SQLException {
        Instant youngest = connection.clock().minus(olderThan);
        for (TableReplayRow replay : TableReplayRow.all(connection)) {
            Instant reached = TableTimes.instant(replay.at().createdAt()).minus(DISORDER);
            youngest = readsOn(replay) && reached.isBefore(youngest) ? reached : youngest;
        }
        Object before = connection.times().bind(youngest);
        List<String> over =
                connection.query(OVER, row -> row.getString(1), before, before, connection.outbox(), atMost);
        int deleted = connection.amongFew(connection.ids(over)).update(DELETE);
        return new PurgeStep(deleted, over.size() == atMost && deleted > 0);
    }

    private static boolean readsOn(TableReplayRow replay) {
        return switch (replay.status().state()) {
            case OPEN, CANCELLING -> !replay.readAll();
            case CANCELLED, THROUGH -> false;
        };
    }
}
