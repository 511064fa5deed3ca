package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.JournalPosition.Point;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the last seq that was given out. A sequence that this role may not read, or that was set back, would make every window
 * look empty: it is refused.
 */
final class SequenceGuard {
    /** Rows that the statement sees have their seq: the value is read after its snapshot was taken. */
    private static final String SEQUENCE_STANDS_AT = """
            select %s, coalesce((select e.seq from waybill.event e order by e.seq desc limit 1), 0)""".formatted(PostgresJournalSql.LAST_VALUE);

    /** Goes along the index on (xid, seq), which alone tells that a row is none of these. */
    private static final String GIVEN_OUT_AGAIN = """
            select e.seq from waybill.event e where e.xid >= ?::xid8 and e.xid < ?::xid8 and e.seq <= ?
             order by e.xid, e.seq limit 1""";

    private static final String ROLE = "select quote_ident(current_user)";

    /** For a person to run. Every seq that anything knows of counts as given out. */
    private static final String SET_FORWARD = """
            select setval('waybill.event_seq_seq', greatest((select last_value from waybill.event_seq_seq), \
            (select max(seq) from waybill.event), \
            (select max(greatest(base_floor, target_floor, high, seq)) from waybill.relay)))""";

    /**
     * For a person to run, as long as the positions are the old ones. What a relay has parked or given up it has seen; if it has
     * not seen the event of that number, the number was given out again. No event has a negative one: the relay drops such
     * parked events when it begins, and opens their keys.
     */
    private static final String FORGET_PARKED = """
            with met as (select e.seq, r.name from waybill.event e join waybill.relay r \
            on not pg_visible_in_snapshot(e.xid, r.base) \
            and (r.target is null or not pg_visible_in_snapshot(e.xid, r.target))), \
            forgotten as (delete from waybill.discarded d where not exists (select from waybill.event e where e.seq = d.seq) \
            or exists (select from met where met.seq = d.seq and met.name = d.relay)) \
            update waybill.parked p set seq = -p.seq from met where met.seq = p.seq and met.name = p.relay""";

    /**
     * For a person to run. Floors and seqs speak of the old numbers; without them a relay reads on from the end of its last whole
     * window by xid alone.
     */
    private static final String FORGET_FLOORS = """
            update waybill.relay set base_floor = 0, target = null, target_next = null, target_floor = null, high = null, \
            seq = 0 where not exists (select from waybill.replay q where q.relay = name)""";

    /** So many are looked at by one statement, which must end in time also when a relay was away for long. */
    private static final long XIDS_A_LOOK = 1_000_000;

    private static final Logger log = LoggerFactory.getLogger(SequenceGuard.class);
    private static final String STATEMENT_TIMEOUT = "57014";

    private final JournalConnection connection;
    private final RelayName relay;
    private long last;

    SequenceGuard(JournalConnection connection, RelayName relay) throws SQLException {
        this.connection = connection;
        this.relay = relay;
        long[] stands = connection.one(SEQUENCE_STANDS_AT, row -> new long[] {row.getLong(1), row.getLong(2)});
        last = readable(stands[0]);
        requireReached(stands[1]);
    }

    /** The last value that was read. */
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
            throw setBack("its sequence waybill.event_seq_seq stands at " + last + ", but seq " + known
                    + " was given out before");
        }
    }

    /**
     * No transaction that began after the base may have a seq up to its floor: a sequence that was set back and has passed the
     * floor again shows nothing else. The index tells it, without a look at the events. A window so large that even this takes
     * longer than a statement may is read all the same.
     */
    void requireAbove(Point base, Point target) throws SQLException {
        try {
            if (base.floor() > 0) {
                requireNothingGivenOutAgain(base, target);
            }
        } catch (SQLException e) {
            if (!STATEMENT_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            log.warn(
                    "Relay {}: the window is too large to look whether the sequence of waybill.event was set back; it is taken"
                            + " for sound.",
                    relay);
        }
    }

    private void requireNothingGivenOutAgain(Point base, Point target) throws SQLException {
        long end = target.snapshot().xmax();
        for (long from = base.next(); from < end; from += XIDS_A_LOOK) {
            Optional<Long> again = connection.first(
                    GIVEN_OUT_AGAIN,
                    row -> row.getLong(1),
                    SqlArgument.xid(from),
                    SqlArgument.xid(Math.min(end, from + XIDS_A_LOOK)),
                    base.floor());
            if (again.isPresent()) {
                throw setBack("its sequence waybill.event_seq_seq gave out seq " + again.get() + " again, though seq "
                        + base.floor() + " was given out before");
            }
        }
    }

    private StoreException setBack(String sign) {
        return JournalGate.refuse(
                relay,
                sign
                        + " (TRUNCATE … RESTART IDENTITY, a lower setval, or a restore without the sequence): events with low"
                        + " seqs would be skipped",
                "Stop every relay of this journal, then run `" + SET_FORWARD + "`, `"
                        + FORGET_PARKED + "` and `"
                        + FORGET_FLOORS + "`.");
    }

    private long readable(long value) throws SQLException {
        if (value == PostgresJournalSql.NOT_READABLE) {
            throw notReadable();
        }
        return value;
    }

    private StoreException notReadable() throws SQLException {
        return connection.one(
                ROLE,
                row -> JournalGate.refuse(
                        relay,
                        "this role may not read the sequence waybill.event_seq_seq, and without it every event would be"
                                + " missed",
                        "Run `grant select on sequence waybill.event_seq_seq to " + row.getString(1) + "`."));
    }
}
