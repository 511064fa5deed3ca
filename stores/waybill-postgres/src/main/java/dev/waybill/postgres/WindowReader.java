package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.postgres.JournalPosition.Point;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.StoreRefusedException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journal window by window.
 *
 * <p><b>The window.</b> The relay has published everything visible in the snapshot {@code base}. It takes another,
 * {@code target}, and reads what is visible in target but not in base, ordered by seq; then target is the new base. Every
 * committed event becomes visible once, so it is in exactly one window, and no open transaction holds the others up. If T2
 * appended after it saw T1's commit, then T1 is in the same window with a lower seq, or in an earlier one: order holds.
 *
 * <p><b>Finding it without walking the table.</b> A transaction that is in the window was, when base was taken, one of
 *
 * <ol>
 *   <li><i>fresh</i>: its xid was not given out yet, so it is at least {@code base.next}. The row gets its xid before its seq
 *       (the columns stand in that order, and the session refuses a table where they do not), hence its seq is above
 *       {@code base.floor}, which was read before {@code next}: read along the primary key from there up to {@code high}.
 *       Only a sequence that was set back gives out others; the session refuses those ({@link SequenceGuard}).
 *   <li><i>late</i>: it was in progress, that is in base's list, or between base's xmax and {@code next} (xmax is the last
 *       <em>ended</em> xid plus one; transactions above it may long have begun and appended). These few are looked up one by
 *       one through the index (xid, seq).
 * </ol>
 *
 * Both are merged by seq, page by page.
 *
 * <p><b>What is remembered is only true of this server process.</b> After a crash PostgreSQL gives out xids and seqs again that
 * nobody had flushed. So base, target and floor come from one connection; when it is lost all is forgotten, and the saved
 * position is read again. A saved position is safe: saving it wrote WAL after all it speaks of.
 */
final class WindowReader implements Windows {
    /**
     * Which of these transactions have events: those of a range of xids, found through the index, and those of a list. Of a
     * transaction that was rolled back the index may have millions of entries, so one of the list is asked for its status first.
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
               and exists (select from waybill.event e where e.xid = x.xid)""".formatted(PostgresJournalSql.XACT_STATUS);

    private static final Logger log = LoggerFactory.getLogger(WindowReader.class);
    private static final int FEW = 16;
    private static final int MANY = Integer.MAX_VALUE / 2;

    /** So many seqs are looked at for a page. All of them may be of transactions that were rolled back. */
    private static final long SPAN = 50_000;
    /** Where events were deleted there is nothing to look at, and larger steps cost no more. */
    private static final long MOST_SPAN = 100 * SPAN;
    /** A page that took longer looked at many rows. */
    private static final long QUICK_NANOS = 5_000_000;
    /** So many xids are asked for one by one; of more, those with events are searched. */
    private static final long MOST_ASKED = 1_000;

    private final JournalConnection connection;
    private final RelayName relay;
    private final long epoch;

    private JournalPosition position;
    /** Its last value was read by an earlier statement: the floor of the next snapshot. */
    private final SequenceGuard sequence;

    private final WaitFor waitFor;
    private final String pollStatement;
    private boolean toldOfNoStandby;
    /** How many events the next page may look at: among large ones few fit, and to find that out costs time for each. */
    private int worthAsking = MANY;
    /** How many seqs the next page looks at. */
    private long span = SPAN;
    /** Transactions of the current window that were in progress at its base and have events. */
    private long[] late = new long[0];

    /**
     * What a poll saw.
     *
     * @param due whether a parked event's time has come
     * @param parked whether a key is closed by a parked event
     * @param written the WAL position the snapshot's commits lie before
     * @param safe the WAL position that is on disk, here or on a standby, as the relay waits for
     */
    record Poll(Point point, long lastSeq, boolean paused, boolean due, boolean parked, long written, long safe) {}

    /**
     * @param end where the page ends; the end of the window when it was the last
     */
    record Page(List<JournalRow> rows, JournalPosition end) {}

    WindowReader(JournalConnection connection, RelayName relay, long epoch, WaitFor waitFor) throws SQLException {
        this.connection = connection;
        this.relay = relay;
        this.epoch = epoch;
        this.position = JournalPosition.BEGINNING;
        this.waitFor = waitFor;
        this.pollStatement = PostgresJournalSql.poll(waitFor.stage());
        this.sequence = new SequenceGuard(connection, relay);
    }

    /** Every seq that the position speaks of must have been given out. */
    void requireReached(JournalPosition saved) {
        sequence.requireReached(saved);
    }

    @Override
    public void moveTo(JournalPosition newPosition) throws SQLException {
        requireReached(newPosition);
        late = findLate(newPosition);
        position = newPosition;
    }

    @Override
    public JournalPosition position() {
        return position;
    }

    @Override
    public boolean betweenWindows() {
        return position.target() == null;
    }

    @Override
    public boolean goOn() {
        return true;
    }

    @Override
    public Poll poll(Instant now, DueFloor floor) throws SQLException {
        floor.forgetIfOld(now);
        PreparedStatement statement = connection.prepare(pollStatement);
        int at = 1;
        statement.setTimestamp(at++, Timestamp.from(now));
        statement.setLong(at++, floor.changes());
        statement.setBoolean(at++, floor.holding());
        if (waitFor.stage() == WaitFor.Stage.REPLICA) {
            statement.setArray(at++, connection.array("text", waitFor.standbys().toArray()));
        }
        statement.setString(at++, relay.value());
        statement.setLong(at++, floor.changes());
        statement.setString(at, floor.text());
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            connection.requireSameBackend(row.getInt(4));
            if (row.getBoolean(5)) {
                throw new StoreRefusedException(
                        "Relay " + relay + ": the journal's connection does not give clean snapshots"
                                + " (an xid is assigned, the isolation is not READ COMMITTED, or the server is in recovery)."
                                + " Give Waybill a DataSource of its own to the primary server, without session settings.");
            }
            if (row.getLong(6) != epoch) {
                throw new LeaseLostException(relay, epoch);
            }
            Snapshot snapshot = Snapshot.parse(row.getString(1)).plus(row.getLong(14));
            Point point = new Point(snapshot, snapshot.xmax() + row.getInt(2), sequence.last());
            sequence.moveTo(row.getLong(3));
            tellOfStandbys(row.getLong(11));
            @Nullable OffsetDateTime firstDue = row.getObject(12, OffsetDateTime.class);
            boolean holding = row.getBoolean(9);
            floor.seen(instant(firstDue), holding, row.getLong(13));
            return new Poll(
                    point,
                    sequence.last(),
                    row.getBoolean(7),
                    row.getBoolean(8),
                    holding || firstDue != null,
                    row.getLong(10),
                    row.getLong(11));
        }
    }

    /** The driver's OffsetDateTime.MIN stands for -infinity. */
    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        if (time == null) {
            return null;
        }
        return time.equals(OffsetDateTime.MIN) ? Instant.MIN : time.toInstant();
    }

    private void tellOfStandbys(long safe) {
        boolean none = waitFor.stage() == WaitFor.Stage.REPLICA && safe == 0;
        if (none && !toldOfNoStandby) {
            log.warn(
                    "Relay {}: {} connected to this server. Nothing is published until the commits are there; waiting.",
                    relay,
                    waitFor.standbys().isEmpty()
                            ? "no standby is"
                            : "not every standby of " + waitFor.standbys() + " is");
        }
        toldOfNoStandby = none;
    }

    @Override
    public boolean open(Poll poll) throws SQLException {
        JournalPosition window = new JournalPosition(position.base(), poll.point(), poll.lastSeq(), 0);
        sequence.requireAbove(window.base(), poll.point());
        late = findLate(window);
        position = window;
        if (late.length == 0 && poll.lastSeq() <= position.base().floor()) {
            position = JournalPosition.atEndOf(poll.point());
            return false;
        }
        return true;
    }

    @Override
    public Page read(Limits max) throws SQLException {
        Point target = requireTarget();
        Limits asked = max.within(worthAsking);
        long to = Math.min(position.high(), from() + span);
        PreparedStatement statement = late.length == 0 ? freshPage(target, asked, to) : mergedPage(target, asked, to);
        long begun = System.nanoTime();
        EventPage page = EventPage.read(connection, statement, asked, row -> 0);
        boolean quick = page.rows().isEmpty() && System.nanoTime() - begun < QUICK_NANOS;
        span = quick ? Math.min(2 * span, MOST_SPAN) : SPAN;
        boolean cutByBytes = page.cut() && page.rows().size() < asked.events();
        worthAsking = cutByBytes ? 2 * page.rows().size() + FEW : 2 * Math.min(worthAsking, MANY / 2);
        if (page.cut()) {
            position = position.at(page.lastSeq());
        } else {
            position = to < position.high() ? position.at(to) : JournalPosition.atEndOf(target);
        }
        return new Page(page.rows(), position);
    }

    /** Fresh events of the rest of the window have higher seqs. */
    private long from() {
        return Math.max(position.base().floor(), position.seq());
    }

    private PreparedStatement freshPage(Point target, Limits max, long to) throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresJournalSql.PAGE);
        bindFresh(statement, target, max, to);
        return statement;
    }

    private PreparedStatement mergedPage(Point target, Limits max, long to) throws SQLException {
        PreparedStatement statement = connection.prepare(PostgresJournalSql.PAGE_WITH_LATE);
        bindFresh(statement, target, max, to);
        statement.setObject(9, xids(late), Types.OTHER);
        statement.setLong(10, position.seq());
        statement.setLong(11, to);
        statement.setInt(12, max.events());
        statement.setString(13, relay.value());
        statement.setLong(14, epoch);
        statement.setInt(15, max.events());
        return statement;
    }

    private void bindFresh(PreparedStatement statement, Point target, Limits max, long to) throws SQLException {
        statement.setString(1, relay.value());
        statement.setLong(2, epoch);
        statement.setLong(3, from());
        statement.setLong(4, to);
        statement.setObject(5, Long.toString(position.base().next()), Types.OTHER);
        statement.setObject(6, Long.toString(target.snapshot().xmax()), Types.OTHER);
        statement.setObject(7, target.snapshot().toString(), Types.OTHER);
        statement.setInt(8, max.events());
    }

    private long[] findLate(JournalPosition window) throws SQLException {
        Point target = window.target();
        return target == null ? new long[0] : lateXids(window.base(), target);
    }

    /** Transactions in progress at the base that ended before the target was taken and left events. */
    private long[] lateXids(Point base, Point target) throws SQLException {
        long from = base.snapshot().xmax();
        long to = Math.min(base.next(), target.snapshot().xmax());
        boolean few = to - from <= MOST_ASKED;
        long[] ended = LongStream.concat(
                        LongStream.of(base.snapshot().inProgress()),
                        few ? LongStream.range(from, to) : LongStream.empty())
                .filter(target.snapshot()::sees)
                .toArray();
        if (ended.length == 0 && few) {
            return ended;
        }
        PreparedStatement statement = connection.prepare(LATE_XIDS);
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

    private Point requireTarget() {
        @Nullable Point target = position.target();
        if (target == null) {
            throw new IllegalStateException("There is no open window to read.");
        }
        return target;
    }
}
