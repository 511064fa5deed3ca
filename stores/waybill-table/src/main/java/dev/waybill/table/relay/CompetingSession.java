package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several sessions that share the rows of a table, each with leases on the rows it has in flight. No order is promised.
 * Settlements of rows whose lease was lost change nothing.
 */
final class CompetingSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(CompetingSession.class);
    private static final long FROM_START_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int SHARE = 20;

    private static final String LATE =
            "Relay {}: the outcome of {} rows could not be written before the session ended ({}); they will be published again.";

    private final RelayName relay;
    private final long epoch;
    private final TableConnection connection;
    private final SessionOptions options;
    private final RowLeases leases;
    private final TableReader reader;
    private final TableSettling settling;
    private final EventGuard guard;
    private final CompetingSweep sweep;
    private final SessionSteps steps;
    private final RowsInFlight inFlight = new RowsInFlight();
    /** Settlements of rows that somebody else had locked, and of rows that the guard knows as published. */
    private final Map<TableRow, Settlement> late = new LinkedHashMap<>();

    private TablePosition low = TablePosition.START;
    private long fromStartAt;
    private long fromStartWhenIdleAt;

    CompetingSession(RowLeases leases, TableConnection connection, SessionOptions options) throws SQLException {
        connection.execute(connection.relayDialect().limitLockWait());
        this.relay = leases.relay();
        this.epoch = leases.epoch();
        this.connection = connection;
        this.steps = new SessionSteps(relay, epoch, connection::failedHere);
        this.options = options;
        this.leases = leases;
        this.reader = new TableReader(connection);
        this.settling = new TableSettling(connection, options);
        this.guard = EventGuard.of(connection, options);
        this.sweep = new CompetingSweep(connection, options.nanoTime());
        this.fromStartAt = options.nanoTime().getAsLong();
        this.fromStartWhenIdleAt = fromStartAt;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public boolean renew() {
        return leases.renew();
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return steps.run("claiming", () -> {
            settleLate();
            sweep.step();
            TablePoll poll = TablePoll.take(connection, relay.value(), options.clock(), null);
            if (poll.epoch().isEmpty()) {
                throw new LeaseLostException(relay, epoch);
            }
            if (poll.paused()) {
                return Optional.empty();
            }
            List<TableRow> rows = fill(take(max));
            EventGuard.Admission admission = guard.admit(rows, TableTimes.instant(poll.clock()));
            admission.published().forEach(row -> late.put(row, Settlement.PUBLISHED));
            return rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(inFlight.add(new TableBatch(admission.toSend(), false)));
        });
    }

    /** Reads the payloads that were not read with their rows, and releases rows that were deleted meanwhile. */
    private List<TableRow> fill(List<TableRow> taken) throws SQLException {
        List<TableRow> rows = reader.fill(taken);
        if (rows.size() < taken.size()) {
            List<TableRow> gone = new ArrayList<>(taken);
            gone.removeAll(rows);
            release(rowIds(gone));
        }
        return rows;
    }

    private static List<String> rowIds(List<TableRow> rows) {
        return rows.stream().map(TableRow::rowId).toList();
    }

    private void release(Collection<String> rowIds) throws SQLException {
        if (!rowIds.isEmpty()) {
            connection.retryOnConflict(() -> {
                leases.release(List.copyOf(rowIds));
                return rowIds;
            });
        }
    }

    /**
     * Continues from the lowest row known to be pending, so as not to read over published rows. Starts from the beginning once
     * a second and when nothing more is found, or less often if that is slow.
     */
    private List<TableRow> take(Limits max) throws SQLException {
        long began = options.nanoTime().getAsLong();
        if (began - fromStartAt >= 0) {
            return takeFromStart(max);
        }
        List<TableRow> rows = take(low, max);
        return rows.isEmpty() && began - fromStartWhenIdleAt >= 0 ? takeFromStart(max) : rows;
    }

    private List<TableRow> takeFromStart(Limits max) throws SQLException {
        long began = options.nanoTime().getAsLong();
        List<TableRow> rows = take(TablePosition.START, max);
        long took = options.nanoTime().getAsLong() - began;
        fromStartAt = began + Math.max(FROM_START_NANOS, SHARE * took);
        fromStartWhenIdleAt = began + SHARE * took;
        low = rows.isEmpty() ? low : lowest(rows.get(0).position());
        return rows;
    }

    /** Rows without an order are read after their ids, so the first one itself is skipped until the next start. */
    private TablePosition lowest(TablePosition first) {
        return connection.layout().isOrdered() ? first.before() : first;
    }

    private List<TableRow> take(TablePosition after, Limits max) throws SQLException {
        Map<String, Integer> taken = connection.retryOnConflict(
                () -> leases.take(after, max.events(), options.clock().instant()));
        return withinBytes(taken, max);
    }

    /** Reads leased rows, after the transaction: the statement may fail because of one of them. */
    private List<TableRow> withinBytes(Map<String, Integer> taken, Limits max) throws SQLException {
        List<TableRow> rows =
                new ArrayList<>(reader.pending(List.copyOf(taken.keySet())).values());
        rows.sort(Comparator.comparingLong((TableRow row) -> row.position().value())
                .thenComparing(TableRow::rowId));
        if (!connection.layout().has(TableColumn.ATTEMPTS)) {
            rows.forEach(row -> row.attempts(taken.getOrDefault(row.rowId(), 0)));
        }
        List<TableRow> within = new ArrayList<>();
        Set<String> others = new HashSet<>(taken.keySet());
        long bytes = 0;
        for (TableRow row : rows) {
            bytes += row.bytes();
            if (bytes <= max.bytes() || within.isEmpty()) {
                within.add(row);
                others.remove(row.rowId());
            }
        }
        release(others);
        return within;
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return Optional.empty();
    }

    @Override
    public void settle(Batch batch, List<Settlement> ofRelay) {
        Settlement.requireAttemptsLeft(batch.events(), ofRelay);
        List<Settlement> inClaimOrder = options.clock().translate(ofRelay);
        steps.run("settling", () -> {
            TableBatch settled = inFlight.takeOldest(relay, batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            List<TableRow> dropped = released < 0 ? List.of() : inFlight.takeAll();
            int count = released < 0 ? inClaimOrder.size() : released;
            late.putAll(write(settled.rows(), inClaimOrder, count));
            release(rowIds(dropped));
            return settled;
        });
    }

    /**
     * Waits briefly for rows that somebody else has locked, then settles the others.
     *
     * @return the locked rows, which are settled later; their leases are kept
     */
    private Map<TableRow, Settlement> write(List<TableRow> rows, List<Settlement> settlements, int count)
            throws SQLException {
        try {
            return connection.inTransaction(() -> settleOwn(rows, settlements, count, lockAll(rows), false));
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT && !RowByRow.isRefusal(e)) {
                throw e;
            }
            return writeUnlocked(rows, settlements, count);
        }
    }

    private Map<TableRow, Settlement> writeUnlocked(List<TableRow> rows, List<Settlement> settlements, int count)
            throws SQLException {
        try {
            return connection.retryOnConflict(() -> settleOwn(rows, settlements, count, lockedBySomebody(rows), false));
        } catch (SQLException e) {
            if (!RowByRow.isRefusal(e)) {
                throw e;
            }
            return connection.retryOnConflict(() -> settleOwn(rows, settlements, count, lockedBySomebody(rows), true));
        }
    }

    /**
     * Locks all rows, and waits only if somebody else has locked one of them: on MariaDB, waiting for a lock may mean waiting for
     * any row of a small table, such as one that an application has just inserted.
     *
     * @return no rows
     */
    private Set<String> lockAll(List<TableRow> rows) throws SQLException {
        Set<String> locked = lockedBySomebody(rows);
        connection.among(connection.ids(locked)).query(TableReader.LOCK, row -> row.getString(1));
        return Set.of();
    }

    /** Locks the other rows. */
    private Set<String> lockedBySomebody(List<TableRow> rows) throws SQLException {
        List<String> ids = rowIds(rows);
        Set<String> free = reader.lockFree(ids);
        return reader.stillPending(ids.stream().filter(id -> !free.contains(id)).toList());
    }

    private void settleLate() throws SQLException {
        if (!late.isEmpty()) {
            List<TableRow> rows = List.copyOf(late.keySet());
            List<Settlement> settlements = rows.stream().map(late::get).toList();
            Map<TableRow, Settlement> still = writeUnlocked(rows, settlements, rows.size());
            late.keySet().retainAll(still.keySet());
        }
    }

    /**
     * @param each whether to settle row by row
     * @return the locked rows
     */
    private Map<TableRow, Settlement> settleOwn(
            List<TableRow> rows, List<Settlement> settlements, int count, Set<String> locked, boolean each)
            throws SQLException {
        Map<String, Integer> own = leases.lockOwn(rows.stream()
                .map(TableRow::rowId)
                .filter(id -> !locked.contains(id))
                .toList());
        Map<TableRow, Settlement> later = new LinkedHashMap<>();
        List<TableRow> ownRows = new ArrayList<>();
        List<Settlement> ownSettlements = new ArrayList<>();
        List<String> back = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            TableRow row = rows.get(i);
            if (i >= count || settlements.get(i) instanceof Settlement.Behind) {
                back.add(row.rowId());
            } else if (locked.contains(row.rowId())) {
                later.put(row, settlements.get(i));
            } else if (own.containsKey(row.rowId())) {
                ownRows.add(row);
                ownSettlements.add(settlements.get(i));
                if (each || !(settlements.get(i) instanceof Settlement.Published)) {
                    // Nothing is written for a row that somebody marked or deleted meanwhile, so it still has its
                    // lease.
                    back.add(row.rowId());
                }
            }
        }
        int lost = rows.size() - locked.size() - own.size();
        if (lost > 0) {
            log.warn(
                    "Relay {}: {} of {} rows were taken over before they were settled; they may be published twice.",
                    relay,
                    lost,
                    rows.size());
        }
        if (each) {
            settling.settleEach(connection.clock(), ownRows, ownSettlements);
        } else {
            settling.settle(connection.clock(), ownRows, ownSettlements, true);
        }
        leases.release(back);
        return later;
    }

    @Override
    public void close() {
        try {
            if (!steps.failed()) {
                settleLate();
            }
            if (!late.isEmpty()) {
                log.warn(LATE, relay, late.size(), "somebody has locked them");
            }
        } catch (SQLException | RuntimeException e) {
            log.warn(LATE, relay, late.size(), e.getMessage());
        } finally {
            late.clear();
            leases.end();
        }
    }
}
