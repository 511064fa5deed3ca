package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.LeaseLostException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the windows of a relay whose position is committed by its destination. */
final class OpenWindows {
    private static final String COLUMNS = """
            w.number, w.id, w.base::text, w.base_next::text, w.base_floor, w.target::text, w.target_next::text, w.target_floor,
            w.high, w.seq, w.requeued""";

    /** Writes nothing under a newer epoch, or in another backend than the one the session reads with. */
    private static final String OPEN = """
            insert into waybill.open_window
                   (base, base_next, base_floor, target, target_next, target_floor, high, seq, requeued, relay)
            select ?::pg_snapshot, ?::xid8, ?::bigint, ?::pg_snapshot, ?::xid8, ?::bigint, ?::bigint, ?::bigint, ?::bigint[], r.name
              from waybill.relay r where r.name = ? and r.epoch = ? and pg_backend_pid() = ?
            returning number, id""";

    private static final String FIND =
            "select %s from waybill.open_window w where w.relay = ? and w.id = ?".formatted(COLUMNS);

    private static final String WITH_REQUEUED = """
            select %s from waybill.open_window w where w.relay = ? and w.number <= ? and w.requeued is not null
             order by w.number""".formatted(COLUMNS);

    private static final String DROP = "delete from waybill.open_window where relay = ? and number >= ? and number < ?";

    private static final String GIVE_UP = """
            update waybill.open_window w
               set requeued = array(select s.seq from unnest(w.requeued) s(seq) where s.seq <> all (?::bigint[]))
             where w.relay = ? and w.requeued && ?::bigint[]""";

    private static final String FORGET_COMMITTED = """
            update waybill.relay set committed_window = null, committed_seq = null
             where name = ? and epoch = ? and committed_window is not null""";

    private final JournalConnection connection;
    private final JournalLease lease;

    OpenWindows(JournalConnection connection, JournalLease lease) {
        this.connection = connection;
        this.lease = lease;
    }

    /** @param requeued seqs of parked events; empty for a window of the journal */
    OpenWindow open(JournalPosition start, List<Long> requeued) throws SQLException {
        @Nullable Object seqs = requeued.isEmpty() ? SqlArgument.other(null) : connection.array("bigint", requeued.toArray());
        Optional<OpenWindow> opened = connection.first(
                OPEN,
                row -> new OpenWindow(row.getLong(1), row.getObject(2, UUID.class), start, requeued),
                PositionColumns.arguments(start, seqs, lease.relay().value(), lease.epoch(), connection.backendPid()));
        if (opened.isEmpty()) {
            connection.requireSameBackend();
            throw new LeaseLostException(lease.relay(), lease.epoch());
        }
        return opened.get();
    }

    Optional<OpenWindow> find(UUID id) throws SQLException {
        return connection.first(FIND, OpenWindows::window, lease.relay().value(), id);
    }

    /** Windows with requeued events up to this one. */
    List<OpenWindow> withRequeued(OpenWindow upTo) throws SQLException {
        return connection.query(
                WITH_REQUEUED, OpenWindows::window, lease.relay().value(), upTo.number());
    }

    private static OpenWindow window(ResultSet row) throws SQLException {
        java.sql.@Nullable Array requeued = row.getArray(11);
        return new OpenWindow(
                row.getLong(1),
                row.getObject(2, UUID.class),
                PositionColumns.read(row, 3),
                requeued == null ? List.of() : Arrays.asList((Long[]) requeued.getArray()));
    }

    /** @param from bounds the search: rows that were deleted before remain in the index for a while */
    void drop(long from, long before) throws SQLException {
        connection.update(DROP, lease.relay().value(), from, before);
    }

    /** These requeued events are dead: a position behind them does not mean that they were published. */
    void giveUp(List<Long> seqs) throws SQLException {
        java.sql.Array array = connection.array("bigint", seqs.toArray());
        connection.update(GIVE_UP, array, lease.relay().value(), array);
    }

    /** The relay saves its position itself from now on: a position that a destination has is not valid any more. */
    void forget() throws SQLException {
        connection.inTransaction(() -> {
            drop(0, Long.MAX_VALUE);
            return connection.update(FORGET_COMMITTED, lease.relay().value(), lease.epoch());
        });
    }
}
