package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SessionSteps;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several sessions that share the rows of a table, each with leases on those it has out. No order is promised. What a
 * session says of a row whose lease it has lost changes nothing.
 */
final class CompetingSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(CompetingSession.class);
    private static final long FROM_START_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int SHARE = 20;

    private final RelayName relay;
    private final long epoch;
    private final TableConnection connection;
    private final TableOptions options;
    private final RowLeases leases;
    private final Renewing renewing;
    private final TableReader reader;
    private final TableSettling settling;
    private final EventGuard guard;
    private final SessionSteps steps;
    private final OutRows out = new OutRows();
    /** What was locked by somebody when it was to be settled. */
    private final Map<TableRow, Settlement> late = new LinkedHashMap<>();

    private TablePosition low = TablePosition.START;
    private long fromStartAt;
    private long fromStartWhenIdleAt;

    CompetingSession(Renewing renewing, RowLeases leases, TableConnection connection, TableOptions options)
            throws SQLException {
        connection.execute(connection.dialectSql().waitBriefly());
        this.relay = renewing.relay();
        this.epoch = renewing.epoch();
        this.connection = connection;
        this.steps = new SessionSteps(relay, epoch, TableConnection::failed);
        this.options = options;
        this.leases = leases;
        this.renewing = renewing;
        this.reader = new TableReader(connection);
        this.settling = new TableSettling(connection, options);
        this.guard = EventGuard.of(connection, options);
        this.fromStartAt = options.nanoTime().getAsLong();
        this.fromStartWhenIdleAt = fromStartAt;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public boolean renew() {
        return renewing.renew(leases);
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return steps.run("claiming", () -> {
            settleLate();
            TablePoll poll =
                    TablePoll.take(connection, relay.value(), options.clock().instant(), null);
            if (poll.epoch().isEmpty()) {
                throw new LeaseLostException(relay, epoch);
            }
            if (poll.paused()) {
                return Optional.empty();
            }
            List<TableRow> rows = reader.fill(take(max));
            List<TableRow> admitted = guard.admit(rows, TableTimes.instant(poll.clock()));
            return rows.isEmpty() ? Optional.empty() : Optional.of(out.give(new TableBatch(admitted, false)));
        });
    }

    /**
     * Reads on from the lowest row that it knows to be pending, so as not to walk over what is published; and from the start
     * once a second, and when there is nothing more, or more rarely if that is slow.
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
        low = rows.isEmpty() ? low : rows.get(0).position().before();
        return rows;
    }

    private List<TableRow> take(TablePosition after, Limits max) throws SQLException {
        return connection.insist(() -> {
            Map<String, Integer> taken =
                    leases.take(after, max.events(), options.clock().instant());
            return withinBytes(taken, max);
        });
    }

    private List<TableRow> withinBytes(Map<String, Integer> taken, Limits max) throws SQLException {
        List<TableRow> rows =
                new ArrayList<>(reader.pending(List.copyOf(taken.keySet())).values());
        rows.sort(Comparator.comparingLong((TableRow row) -> row.position().value())
                .thenComparing(TableRow::rowId));
        if (!connection.layout().has(TableColumn.ATTEMPTS)) {
            rows.forEach(row -> row.attempts(taken.getOrDefault(row.rowId(), 0)));
        }
        List<TableRow> within = new ArrayList<>();
        List<String> beyond = new ArrayList<>();
        long bytes = 0;
        for (TableRow row : rows) {
            bytes += row.bytes();
            if (bytes > max.bytes() && !within.isEmpty()) {
                beyond.add(row.rowId());
            } else {
                within.add(row);
            }
        }
        leases.release(beyond);
        return within;
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        steps.run("settling", () -> {
            TableBatch settled = out.takeOldest(relay, batch, inClaimOrder);
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            List<TableRow> voided = released < 0 ? List.of() : out.takeAll();
            int count = released < 0 ? inClaimOrder.size() : released;
            late.putAll(write(settled.rows(), inClaimOrder, count));
            if (!voided.isEmpty()) {
                connection.insist(() -> {
                    leases.release(voided.stream().map(TableRow::rowId).toList());
                    return voided;
                });
            }
            return settled;
        });
    }

    /**
     * Waits briefly for rows that somebody else has locked, and then goes without them.
     *
     * @return those, which are settled later; their leases are kept
     */
    private Map<TableRow, Settlement> write(List<TableRow> rows, List<Settlement> settlements, int count)
            throws SQLException {
        try {
            return connection.inTransaction(() -> settleOwn(rows, settlements, count, Set.of()));
        } catch (SQLException e) {
            if (SqlFailure.of(e) != SqlFailure.CONFLICT) {
                throw e;
            }
            return connection.insist(() -> settleOwn(rows, settlements, count, lockedBySomebody(rows)));
        }
    }

    private Set<String> lockedBySomebody(List<TableRow> rows) throws SQLException {
        List<String> ids = rows.stream().map(TableRow::rowId).toList();
        Set<String> free = reader.lockFree(ids);
        return reader.stillPending(ids.stream().filter(id -> !free.contains(id)).toList());
    }

    private void settleLate() throws SQLException {
        if (!late.isEmpty()) {
            List<TableRow> rows = List.copyOf(late.keySet());
            List<Settlement> settlements = rows.stream().map(late::get).toList();
            Map<TableRow, Settlement> still =
                    connection.insist(() -> settleOwn(rows, settlements, rows.size(), lockedBySomebody(rows)));
            late.keySet().retainAll(still.keySet());
        }
    }

    /** @return those that are locked */
    private Map<TableRow, Settlement> settleOwn(
            List<TableRow> rows, List<Settlement> settlements, int count, Set<String> locked) throws SQLException {
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
        settling.settle(connection.clock(), ownRows, ownSettlements, true);
        leases.release(back);
        return later;
    }

    @Override
    public void close() {
        try {
            leases.releaseAll();
        } catch (SQLException | StoreException e) {
            log.info(
                    "Relay {}: epoch {} ended without giving its rows back ({}); their leases run out by themselves.",
                    relay,
                    epoch,
                    e.getMessage());
        } finally {
            try {
                renewing.close();
            } finally {
                connection.closeQuietly();
            }
        }
    }
}
