package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplaySize;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.table.rows.TableAudit;
import dev.waybill.table.rows.TableConnection;
import java.sql.SQLException;
import java.util.Optional;

/** Ends a replay of an outbox table, completed or cancelled, once, with its counts in the audit. */
final class TableReplayEnding {
    private static final String CANCEL = """
            update {replay} set cancelled_by = ?, cancelled_why = ?
             where name = ? and ended_at is null and cancelled_by is null""";

    private static final String PAUSE = "update {relay} set paused = true where name = ? and outbox = ?";

    /** The new epoch keeps an owner whose lease has expired from settling. */
    private static final String TAKE_EXPIRED_LEASE = """
            update {relay} set owner = null, lease_until = 0, epoch = epoch + 1 where name = ? and lease_until <= {clock}""";

    private static final String END = """
            update {replay} set ended_at = {clock}, not_sent = ?, not_sent_exact = ? where name = ? and ended_at is null""";

    private static final String FORGET_WAITING = "delete from {claim} where outbox = ? and state <> 'dead'";

    private final TableConnection connection;
    private final RelayName name;

    TableReplayEnding(TableConnection connection, RelayName name) {
        this.connection = connection;
        this.name = name;
    }

    /** Called when a session has nothing in flight and nothing to claim. */
    void endIfOver(TableLease lease) throws SQLException {
        Optional<TableReplayRow> found = TableReplayRow.find(connection, name);
        if (found.isEmpty() || isEnd(found.get())) {
            return;
        }
        TableReplayRow replay = found.get();
        if (replay.cancelledBy().isPresent()) {
            end(replay, left(replay), replay.cancelledBy().get(), Optional.of(lease));
        } else if (replay.readAll() && replay.status().counts().parked() == 0) {
            end(replay, ReplaySize.NONE, replay.status().by(), Optional.of(lease));
        }
    }

    /** Cancels the replay for an operator. */
    void cancel(Actor by) throws SQLException {
        boolean nobodyRunsIt = connection.inTransaction(() -> {
            if (connection.update(CANCEL, ErrorText.cut(by.who(), 200), ErrorText.cut(by.why(), 1_000), name.value())
                    == 1) {
                new TableAudit(connection, by, "replay-cancel", name.value()).write("");
            }
            connection.update(PAUSE, name.value(), connection.outbox());
            return connection.update(TAKE_EXPIRED_LEASE, name.value()) == 1;
        });
        Optional<TableReplayRow> replay = TableReplayRow.find(connection, name);
        if (nobodyRunsIt && replay.isPresent() && !isEnd(replay.get())) {
            end(replay.get(), left(replay.get()), by, Optional.empty());
        }
    }

    private static boolean isEnd(TableReplayRow replay) {
        return switch (replay.status().state()) {
            case CANCELLED, THROUGH -> true;
            case OPEN, CANCELLING -> false;
        };
    }

    private ReplaySize left(TableReplayRow replay) throws SQLException {
        return replay.readAll()
                ? ReplaySize.NONE
                : new TableReplayReader(connection, replay.status().query(), replay.upTo()).count(replay.at());
    }

    /** Events that wait for a retry are not sent any more. */
    private void end(TableReplayRow replay, ReplaySize left, Actor by, Optional<TableLease> lease) throws SQLException {
        connection.inTransaction(() -> {
            if (lease.isPresent()) {
                lease.get().fence(connection);
            }
            if (connection.update(END, left.events() + replay.status().counts().parked(), left.exact(), name.value())
                    == 1) {
                connection.update(FORGET_WAITING, connection.outbox());
                String action = replay.cancelledBy().isPresent() ? "replay-cancelled" : "replay-through";
                Optional<TableReplayRow> ended = TableReplayRow.find(connection, name);
                if (ended.isPresent()) {
                    String counts = ended.get().status().counts().toString();
                    new TableAudit(connection, by, action, name.value()).write(counts);
                }
            }
            return left;
        });
    }
}
