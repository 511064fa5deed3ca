package dev.waybill.table.relay;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.table.rows.TableConnection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Polls the lease, changes by operators, and which transactions have ended. */
final class PollSource {
    private final TableConnection connection;
    private final TableLease lease;
    private final SessionOptions options;
    private final @Nullable String sequence;
    private @Nullable TablePoll last;
    private boolean changed;

    PollSource(TableConnection connection, TableLease lease, SessionOptions options) throws SQLException {
        this.connection = connection;
        this.lease = lease;
        this.options = options;
        this.sequence = findSequence();
    }

    LookBack lookBack() {
        boolean numbered = connection.layout().has(TableColumn.SEQUENCE);
        LookBack lookBack = connection.dialect() == TableDialect.POSTGRESQL
                ? new SnapshotLookBack(numbered, options.nanoTime())
                : new TimedLookBack(numbered, options.nanoTime());
        lease.onFence(lookBack::own);
        return lookBack;
    }

    TablePoll take() throws SQLException {
        TablePoll poll = lease.poll(connection, options.clock(), sequence);
        TablePoll before = last;
        if (poll.unclean() || (before != null && before.backend() != poll.backend())) {
            throw new StoreRefusedException(
                    "Relay " + lease.relay() + ": the connection to "
                            + connection.layout().tableName()
                            + " cannot be used for snapshots (it moved to another server"
                            + " process, an xid is assigned, the isolation is not READ COMMITTED, or the server is in recovery)."
                            + " Give Waybill a DataSource of its own to the primary server, without a pooler in transaction mode.");
        }
        changed = before != null && before.changes() != poll.changes();
        last = poll;
        return poll;
    }

    /** Whether an operator requeued or discarded events between the last two polls. */
    boolean changedByOperator() {
        return changed;
    }

    private @Nullable String findSequence() throws SQLException {
        Optional<String> column = connection.layout().column(TableColumn.SEQUENCE);
        return column.isEmpty()
                ? null
                : connection
                        .first(
                                connection.relayDialect().sequence(),
                                row -> row.getString(1),
                                connection.text().in("{table}"),
                                column.get())
                        .orElse(null);
    }
}
