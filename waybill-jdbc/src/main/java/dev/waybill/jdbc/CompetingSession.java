package dev.waybill.jdbc;

import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final int MOST_ATTEMPTS = 5;

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
    private TablePosition low = TablePosition.START;
    private long fromStartAt;

    CompetingSession(Renewing renewing, RowLeases leases, TableConnection connection, TableOptions options) {
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
     * once a second, or more rarely if that is slow.
     */
    private List<TableRow> take(Limits max) throws SQLException {
        long began = options.nanoTime().getAsLong();
        boolean fromStart = began - fromStartAt >= 0;
        TablePosition after = fromStart ? TablePosition.START : low;
        List<TableRow> rows = inTransaction(() -> {
            Map<String, Integer> taken =
                    leases.take(after, max.events(), options.clock().instant());
            return withinBytes(taken, max);
        });
        if (fromStart) {
            long took = options.nanoTime().getAsLong() - began;
            fromStartAt = began + Math.max(FROM_START_NANOS, SHARE * took);
            low = rows.isEmpty() ? low : rows.get(0).position().before();
        }
        return rows;
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
            return inTransaction(() -> {
                settleOwn(settled.rows(), inClaimOrder, released < 0 ? inClaimOrder.size() : released);
                leases.release(voided.stream().map(TableRow::rowId).toList());
                return settled;
            });
        });
    }

    private void settleOwn(List<TableRow> rows, List<Settlement> settlements, int count) throws SQLException {
        Map<String, Integer> own =
                leases.lockOwn(rows.stream().map(TableRow::rowId).toList());
        List<TableRow> ownRows = new ArrayList<>();
        List<Settlement> ownSettlements = new ArrayList<>();
        List<String> back = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            TableRow row = rows.get(i);
            if (i >= count || settlements.get(i) instanceof Settlement.Behind) {
                back.add(row.rowId());
            } else if (own.containsKey(row.rowId())) {
                ownRows.add(row);
                ownSettlements.add(settlements.get(i));
            }
        }
        if (own.size() < rows.size()) {
            log.warn(
                    "Relay {}: {} of {} rows were taken over before they were settled; they may be published twice.",
                    relay,
                    rows.size() - own.size(),
                    rows.size());
        }
        settling.settle(connection.clock(), ownRows, ownSettlements, true);
        leases.release(back);
    }

    /** Whoever is rolled back because two waited for each other begins again: nothing of it has happened. */
    private <R> R inTransaction(JournalConnection.Work<R> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return connection.inTransaction(work);
            } catch (SQLException e) {
                if (attempt == MOST_ATTEMPTS || SqlFailure.of(e) != SqlFailure.CONFLICT) {
                    throw e;
                }
            }
        }
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
