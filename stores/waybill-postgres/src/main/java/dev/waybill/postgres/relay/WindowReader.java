package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSql;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Reads the windows of a relay.
 *
 * <p><b>The window.</b> The relay has published everything visible in the snapshot {@code base}. It takes another snapshot,
 * {@code target}, and reads what is visible in target but not in base, ordered by seq; then target is the new base. Every
 * committed event becomes visible once, so it is in exactly one window, and no open transaction delays the others. If T2
 * appended after it saw T1's commit, then T1 is in the same window with a lower seq, or in an earlier window: order is kept.
 *
 * <p><b>Finding it without scanning the table.</b> A transaction in the window was, when base was taken, one of
 *
 * <ol>
 *   <li><i>fresh</i>: its xid was not assigned yet, so it is at least {@code base.next}. A row gets its xid before its seq
 *       (the columns are in that order, and sessions refuse a table where they are not), so its seq is above
 *       {@code base.floor}, which was read before {@code next}: these are read along the primary key from there up to
 *       {@code high}. Only a sequence that was set back assigns lower ones, which is refused ({@link SequenceGuard}).
 *   <li><i>late</i>: it was in progress, that is, in base's list, or between base's xmax and {@code next} (xmax is the last
 *       <em>ended</em> xid plus one; transactions above it may have begun and appended long before). These few are looked up
 *       one by one through the index (xid, seq).
 * </ol>
 *
 * Both are merged by seq, page by page.
 *
 * <p><b>What is kept in memory holds only for this server process.</b> After a crash PostgreSQL assigns again the xids and seqs
 * that were not flushed. So base, target and floor come from one connection; if it is lost, all is discarded and the saved
 * position is read again. A saved position is safe: saving it wrote WAL after everything it refers to.
 */
final class WindowReader extends JournalReader {
    /**
     * The transactions with events: of a range of xids, found through the index, and of a list. The index may have millions of
     * entries of a rolled-back transaction, so the status of those in the list is checked first.
     */
    static final String LATE_XIDS = """
            with recursive straddling(xid) as (
                (select e.xid from waybill.event e where e.xid >= ?::xid8 and e.xid < ?::xid8 order by e.xid, e.seq limit 1)
                union all
                select n.xid from straddling s cross join lateral (
                    select e.xid from waybill.event e where e.xid > s.xid and e.xid < ?::xid8
                     order by e.xid, e.seq limit 1) n
            )
            select s.xid::text from straddling s
            union all
            select x.xid::text from unnest(?::xid8[]) x(xid)
             where %s is distinct from 'aborted'
               and exists (select from waybill.event e where e.xid = x.xid)""".formatted(JournalSql.XACT_STATUS);

    /** A page of a window without late transactions, along the primary key. */
    static final String PAGE = page(EventPage.COLUMNS);

    /** A page of a window with late transactions: fresh and late ones, merged by seq. */
    static final String PAGE_WITH_LATE = pageWithLate(EventPage.COLUMNS);

    private static final int FEW = 16;
    private static final int MANY = Integer.MAX_VALUE / 2;

    /** Where events were deleted there is nothing to read, and larger steps cost no more. */
    private static final long MOST_SPAN = 100 * SPAN;
    /** A page that took so much longer than the fastest one, which spent its time in the network, examined many rows. */
    private static final long QUICK_NANOS = 5_000_000;
    /** Up to so many xids are looked up one by one; in a longer range those with events are searched. */
    private static final long MOST_LOOKED_UP = 1_000;

    /** How many events the next page asks for: few large ones fit, and measuring the others costs time. */
    private int worthAsking = MANY;
    /** How many seqs the next page covers. */
    private long span = SPAN;

    private long fastestNanos = Long.MAX_VALUE;
    /** Transactions of the current window that were in progress at its base and have events. */
    private long[] late = new long[0];

    private static String fresh(String columns) {
        return """
            select %s from waybill.event e
             where %s
               and e.seq > ? and e.seq <= ? and e.xid >= ?::xid8 and e.xid < ?::xid8
               and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
             order by e.seq limit ?""".formatted(columns, EventPage.MAY_READ);
    }

    private static String page(String columns) {
        return EventPage.orHalted(columns, fresh(columns));
    }

    private static String pageWithLate(String columns) {
        return page(columns) + """

            union all
            (select l.* from unnest(?::xid8[]) x(xid) cross join lateral (
                select %s from waybill.event e where e.xid = x.xid and e.seq > ? and e.seq <= ?
                 order by e.xid, e.seq limit ?) l
             where %s)
            order by seq limit ?""".formatted(columns, EventPage.MAY_READ);
    }

    WindowReader(JournalConnection connection, Poller poller) {
        super(connection, poller, JournalPosition.BEGINNING);
    }

    @Override
    void moveTo(JournalPosition newPosition) throws SQLException {
        poller().sequence().requireReached(newPosition);
        late = findLate(newPosition);
        super.moveTo(newPosition);
    }

    @Override
    boolean hasNextWindow() {
        return true;
    }

    @Override
    boolean open(Poller.Poll poll) throws SQLException {
        JournalPosition window = new JournalPosition(position().base(), poll.point(), poll.lastSeq(), 0);
        poller().sequence().requireAbove(window.base(), poll.point());
        late = findLate(window);
        boolean empty = late.length == 0 && poll.lastSeq() <= window.base().floor();
        super.moveTo(empty ? JournalPosition.atEndOf(poll.point()) : window);
        return !empty;
    }

    @Override
    Optional<Page> read(Limits max) throws SQLException {
        Point target = requireTarget();
        Limits asked = max.within(worthAsking);
        long to = upTo(span);
        long begun = System.nanoTime();
        EventPage page = EventPage.read(
                connection(),
                columns -> late.length == 0
                        ? freshPage(columns, target, asked, to)
                        : mergedPage(columns, target, asked, to),
                asked,
                row -> 0);
        long nanos = System.nanoTime() - begun;
        fastestNanos = Math.min(fastestNanos, nanos);
        boolean quick = page.rows().isEmpty() && nanos - fastestNanos < QUICK_NANOS;
        span = quick ? Math.min(2 * span, MOST_SPAN) : SPAN;
        boolean cutByBytes = page.cut() && page.rows().size() < asked.events();
        worthAsking = cutByBytes ? 2 * page.rows().size() + FEW : 2 * Math.min(worthAsking, MANY / 2);
        return moveBehind(page, target, to);
    }

    private PreparedStatement freshPage(String columns, Point target, Limits max, long to) throws SQLException {
        PreparedStatement statement = connection().prepare(columns.equals(EventPage.COLUMNS) ? PAGE : page(columns));
        bindFresh(statement, target, max, to);
        return statement;
    }

    private PreparedStatement mergedPage(String columns, Point target, Limits max, long to) throws SQLException {
        PreparedStatement statement =
                connection().prepare(columns.equals(EventPage.COLUMNS) ? PAGE_WITH_LATE : pageWithLate(columns));
        int at = bindFresh(statement, target, max, to);
        Statements.bind(
                statement,
                at,
                SqlArgument.other(xids(late)),
                position().seq(),
                to,
                max.events(),
                poller().epoch(),
                poller().relay().value(),
                max.events());
        return statement;
    }

    private int bindFresh(PreparedStatement statement, Point target, Limits max, long to) throws SQLException {
        return Statements.bind(
                statement,
                1,
                poller().relay().value(),
                poller().epoch(),
                poller().epoch(),
                poller().relay().value(),
                from(),
                to,
                SqlArgument.xid(position().base().next()),
                SqlArgument.xid(target.snapshot().xmax()),
                SqlArgument.other(target.snapshot().toString()),
                max.events());
    }

    private long[] findLate(JournalPosition window) throws SQLException {
        Point target = window.target();
        return target == null ? new long[0] : lateXids(window.base(), target);
    }

    /** Transactions in progress at the base that ended before the target was taken and have events. */
    private long[] lateXids(Point base, Point target) throws SQLException {
        long from = base.snapshot().xmax();
        long to = Math.min(base.next(), target.snapshot().xmax());
        boolean few = to - from <= MOST_LOOKED_UP;
        long[] ended = LongStream.concat(
                        LongStream.of(base.snapshot().inProgress()),
                        few ? LongStream.range(from, to) : LongStream.empty())
                .filter(target.snapshot()::sees)
                .toArray();
        if (ended.length == 0 && few) {
            return ended;
        }
        PreparedStatement statement = connection().prepare(LATE_XIDS);
        String end = Long.toString(few ? from : to);
        statement.setObject(1, Long.toString(from), Types.OTHER);
        statement.setObject(2, end, Types.OTHER);
        statement.setObject(3, end, Types.OTHER);
        statement.setObject(4, xids(ended), Types.OTHER);
        List<Long> found = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.add(Long.valueOf(row.getString(1)));
            }
        }
        return found.stream()
                .mapToLong(Long::longValue)
                .filter(target.snapshot()::sees)
                .toArray();
    }

    private static String xids(long[] xids) {
        return LongStream.of(xids).mapToObj(Long::toString).collect(Collectors.joining(",", "{", "}"));
    }
}
