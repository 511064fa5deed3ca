package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the last seq that was assigned. Refuses a sequence that this role may not read or that was set back, because every
 * window would appear empty.
 */
final class SequenceGuard {
    /** Stands for a sequence that this role may not read; the server would report that nothing was assigned. */
    private static final long NOT_READABLE = -1;

    /**
     * The last seq that was assigned. The function takes the sequence's lock. A plain select of last_value during nextval may
     * return up to 32 more than was assigned, and it returns 1 before anything was.
     */
    static final String LAST_VALUE = """
            case when has_sequence_privilege('waybill.event_seq_seq', 'select, usage')
                 then coalesce(pg_sequence_last_value('waybill.event_seq_seq'), 0) else %d end""".formatted(NOT_READABLE);

    /** The value is read after the snapshot of the statement, so it covers all rows that the statement sees. */
    private static final String SEQUENCE_AND_NEWEST = """
            select %s, coalesce((select e.seq from waybill.event e order by e.seq desc limit 1), 0)""".formatted(LAST_VALUE);

    /** Reads the index on (xid, seq) only. */
    private static final String ASSIGNED_AGAIN = """
            select e.seq from waybill.event e where e.xid >= ?::xid8 and e.xid < ?::xid8 and e.seq <= ?
             order by e.xid, e.seq limit 1""";

    private static final String ROLE = "select quote_ident(current_user)";

    /** For an operator to run. Sets the sequence above every seq that events or positions contain. */
    private static final String SET_FORWARD = """
            select setval('waybill.event_seq_seq', greatest((select last_value from waybill.event_seq_seq), \
            (select max(seq) from waybill.event), \
            (select max(greatest(base_floor, target_floor, high, seq)) from waybill.relay)))""";

    /**
     * For an operator to run before the positions are changed. A relay has read every event it has parked or discarded; if the
     * event of that seq is not visible to its position, the seq was assigned again. Parked rows then get a negative seq, which
     * no event has: the relay drops them when it starts, and opens their keys.
     */
    private static final String FORGET_PARKED = """
            with met as (select e.seq, r.name from waybill.event e join waybill.relay r \
            on not pg_visible_in_snapshot(e.xid, r.base) \
            and (r.target is null or not pg_visible_in_snapshot(e.xid, r.target))), \
            forgotten as (delete from waybill.discarded d where not exists (select from waybill.event e where e.seq = d.seq) \
            or exists (select from met where met.seq = d.seq and met.name = d.relay)) \
            update waybill.parked p set seq = -p.seq from met where met.seq = p.seq and met.name = p.relay""";

    /** For an operator to run. Without floors and seqs a relay continues from the end of its last whole window by xid alone. */
    private static final String FORGET_FLOORS = """
            with windows as (delete from waybill.open_window) \
            update waybill.relay set base_floor = 0, target = null, target_next = null, target_floor = null, high = null, \
            seq = 0, committed_window = null, committed_seq = null where not exists (select from waybill.replay q where q.relay = name)""";

    /** Bounds one statement, also after a long downtime of the relay. */
    private static final long XIDS_PER_STATEMENT = 1_000_000;

    private static final Logger log = LoggerFactory.getLogger(SequenceGuard.class);
    private static final String STATEMENT_TIMEOUT = "57014";

    private final JournalConnection connection;
    private final RelayName relay;
    private long last;

    SequenceGuard(JournalConnection connection, RelayName relay) throws SQLException {
        this.connection = connection;
        this.relay = relay;
        long[] values = connection.one(SEQUENCE_AND_NEWEST, row -> new long[] {row.getLong(1), row.getLong(2)});
        last = readable(values[0]);
        requireReached(values[1]);
    }

    long last() {
        return last;
    }

    void moveTo(long value) throws SQLException {
        long before = last;
        last = readable(value);
        requireReached(before);
    }

    void requireReached(JournalPosition position) {
        requireReached(position.highestSeq());
    }

    private void requireReached(long known) {
        if (last < known) {
            throw setBack(
                    "its sequence waybill.event_seq_seq is at " + last + ", but seq " + known + " was assigned before");
        }
    }

    /**
     * Requires that no transaction that began after the base has a seq up to its floor. Only this reveals a sequence that was
     * set back and has passed the floor again. A window so large that the check exceeds the statement timeout is read without it.
     */
    void requireAbove(Point base, Point target) throws SQLException {
        try {
            if (base.floor() > 0) {
                requireNothingAssignedAgain(base, target);
            }
        } catch (SQLException e) {
            if (!STATEMENT_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            log.warn(
                    "Relay {}: the window is too large to check whether the sequence of waybill.event was set back; it is read"
                            + " without the check.",
                    relay);
        }
    }

    private void requireNothingAssignedAgain(Point base, Point target) throws SQLException {
        long end = target.snapshot().xmax();
        for (long from = base.next(); from < end; from += XIDS_PER_STATEMENT) {
            Optional<Long> again = connection.first(
                    ASSIGNED_AGAIN,
                    row -> row.getLong(1),
                    SqlArgument.xid(from),
                    SqlArgument.xid(Math.min(end, from + XIDS_PER_STATEMENT)),
                    base.floor());
            if (again.isPresent()) {
                throw setBack("its sequence waybill.event_seq_seq assigned seq " + again.get() + " again, although seq "
                        + base.floor() + " was assigned before");
            }
        }
    }

    private StoreRefusedException setBack(String evidence) {
        return JournalInspection.refusal(
                relay,
                evidence
                        + " (TRUNCATE … RESTART IDENTITY, a lower setval, or a restore without the sequence): events with low"
                        + " seqs would be skipped",
                "Stop every relay of this journal, then run `" + SET_FORWARD + "`, `"
                        + FORGET_PARKED + "` and `"
                        + FORGET_FLOORS + "`.");
    }

    private long readable(long value) throws SQLException {
        if (value == NOT_READABLE) {
            throw notReadable();
        }
        return value;
    }

    private StoreRefusedException notReadable() throws SQLException {
        return connection.one(
                ROLE,
                row -> JournalInspection.refusal(
                        relay,
                        "this role may not read the sequence waybill.event_seq_seq, and without it all events would be"
                                + " missed",
                        "Run `grant select on sequence waybill.event_seq_seq to " + row.getString(1) + "`."));
    }
}
