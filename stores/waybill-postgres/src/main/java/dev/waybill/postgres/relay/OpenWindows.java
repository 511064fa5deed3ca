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

    private static final String CUT = """
            update waybill.open_window set requeued = array(select s from unnest(requeued) s where s <= ?)
             where relay = ? and number = ? and requeued is not null""";

    private static final String BEGIN =
            "update waybill.relay set windows = true where name = ? and epoch = ? and not windows";

    private static final String LOCK_EPOCH =
            "select windows from waybill.relay where name = ? and epoch = ? for no key update";

    private static final String FORGET_COMMITTED =
            "update waybill.relay set committed_window = null, committed_seq = null where name = ?";

    private static final String END = "update waybill.relay set windows = false where name = ? and epoch = ?";

    /** Parked events that are not behind the relay's position. */
    private static final String FORGET_PARKED = """
            delete from waybill.parked p using waybill.relay r, waybill.event e
             where r.name = ? and p.relay = r.name and e.seq = p.seq and not pg_visible_in_snapshot(e.xid, r.base)
               and (r.target is null or e.seq > r.seq or not pg_visible_in_snapshot(e.xid, r.target))""";

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
                row -> new OpenWindow(
                        row.getLong(1), row.getObject(2, UUID.class), start, !requeued.isEmpty(), requeued),
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
                requeued != null,
                requeued == null ? List.of() : Arrays.asList((Long[]) requeued.getArray()));
    }

    /** @param from bounds the search: rows that were deleted before remain in the index for a while */
    void drop(long from, long before) throws SQLException {
        connection.update(DROP, lease.relay().value(), from, before);
    }

    /**
     * Behind this seq the window has nothing any more: its events are listed again by later windows. Otherwise a position in one of
     * those would prove that they were published.
     */
    void cut(long number, long seq) throws SQLException {
        connection.update(CUT, seq, lease.relay().value(), number);
    }

    /** The relay's position is committed by its destination from now on. */
    void begin() throws SQLException {
        connection.update(BEGIN, lease.relay().value(), lease.epoch());
    }

    /**
     * The relay saves its position itself from now on: a position that a destination has is not valid any more. Events that were
     * parked ahead of the relay's own position are read and decided again: a session that saves its position itself would publish
     * a requeued one twice. Those that an operator discarded stay discarded.
     *
     * @return whether a destination has committed its position, and the last writer there is not {@link #ended}
     */
    boolean forget() throws SQLException {
        return connection.inTransaction(() -> {
            Optional<Boolean> before = connection.first(
                    LOCK_EPOCH, row -> row.getBoolean(1), lease.relay().value(), lease.epoch());
            if (before.isEmpty()) {
                throw new LeaseLostException(lease.relay(), lease.epoch());
            }
            if (before.get()) {
                drop(0, Long.MAX_VALUE);
                connection.update(FORGET_PARKED, lease.relay().value());
                connection.update(FORGET_COMMITTED, lease.relay().value());
            }
            return before.get();
        });
    }

    /** The last writer is ended at the destination. */
    void ended() throws SQLException {
        connection.update(END, lease.relay().value(), lease.epoch());
    }
}
