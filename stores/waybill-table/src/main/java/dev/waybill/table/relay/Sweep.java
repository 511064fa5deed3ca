package dev.waybill.table.relay;

import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.ThinRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Once a minute reads all side rows and all pending rows, one step per claim, and finds pending rows that the reader passed
 * although they can be published: rows whose time of creation is long before their commit, and rows that somebody set back to
 * pending by SQL. Outdated side rows and expired leases of competing sessions are deleted. Of dead rows that hold no key only one
 * page is read per minute, since there may be many and nothing waits for them.
 */
final class Sweep {
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int STEP = 1_000;

    private final TableConnection connection;
    private final TableLease lease;
    private final LongSupplier nanoTime;
    private final TableReader reader;
    private final SideRows sideRows;
    private final OutdatedSideRows outdated;
    private long nextAt;
    private Part part = Part.NONE;
    private SideRows.Place sidePlace = SideRows.Place.START;
    private SideRows.Place deadPlace = SideRows.Place.START;
    private TablePosition pending = TablePosition.START;
    /** Of this step. */
    private List<SideRow> opened = new ArrayList<>();

    /**
     * What a step has found.
     *
     * @param passed a position before passed rows that can be published
     * @param opened rows that closed their keys and do so no more
     */
    record Found(Optional<TablePosition> passed, List<SideRow> opened) {}

    private enum Part {
        NONE,
        RETRIES,
        HOLDING,
        DEAD,
        PENDING
    }

    Sweep(TableConnection connection, TableLease lease, LongSupplier nanoTime) {
        this.connection = connection;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.outdated = new OutdatedSideRows(connection);
        this.nextAt = nanoTime.getAsLong() + EVERY_NANOS;
    }

    Found step(TablePosition reached, RowsInFlight inFlight) throws SQLException {
        opened = new ArrayList<>();
        if (part == Part.NONE && nanoTime.getAsLong() - nextAt >= 0) {
            forgetExpiredLeases();
            begin(Part.RETRIES);
        }
        if (part == Part.RETRIES && !walkSideRows(sideRows.page(SideState.RETRY, sidePlace, STEP))) {
            begin(Part.HOLDING);
        }
        if (part == Part.HOLDING && !walkSideRows(sideRows.holding(sidePlace, STEP))) {
            begin(Part.DEAD);
        }
        if (part == Part.DEAD) {
            List<SideRow> page = sideRows.page(SideState.DEAD, deadPlace, STEP);
            deadPlace = page.size() < STEP ? SideRows.Place.START : SideRows.Place.of(page.get(STEP - 1));
            forget(outdated.among(page));
            begin(Part.PENDING);
        }
        Optional<TablePosition> passed = part == Part.PENDING ? walkPending(reached, inFlight) : Optional.empty();
        return new Found(passed, opened);
    }

    /** Otherwise rows that a competing session had in flight when it was killed would be passed for ever. */
    void forgetExpiredLeases() throws SQLException {
        lease.alone(() -> connection.retryOnConflict(() -> {
            lease.fence(connection);
            RowLeases.dropExpired(connection, lease.length());
            return connection;
        }));
    }

    private void begin(Part next) {
        part = next;
        sidePlace = SideRows.Place.START;
        pending = TablePosition.START;
    }

    /** @return whether there are more */
    private boolean walkSideRows(List<SideRow> page) throws SQLException {
        forget(outdated.among(page));
        if (page.size() == STEP) {
            sidePlace = SideRows.Place.of(page.get(STEP - 1));
        }
        return page.size() == STEP;
    }

    private Optional<TablePosition> walkPending(TablePosition reached, RowsInFlight inFlight) throws SQLException {
        List<ThinRow> rows = reader.thinPage(pending, STEP);
        if (rows.size() < STEP || reached.isBefore(rows.get(STEP - 1).position())) {
            begin(Part.NONE);
            nextAt = nanoTime.getAsLong() + EVERY_NANOS;
        } else {
            pending = rows.get(STEP - 1).position();
        }
        return firstOpen(rows, reached, inFlight);
    }

    private Optional<TablePosition> firstOpen(List<ThinRow> rows, TablePosition reached, RowsInFlight inFlight)
            throws SQLException {
        List<ThinRow> passed = rows.stream()
                .filter(row -> !inFlight.contains(row.rowId()) && !reached.isBefore(row.position()))
                .toList();
        Map<String, SideRow> known =
                sideRows.of(passed.stream().map(ThinRow::rowId).toList());
        List<SideRow> pendingAgain =
                known.values().stream().filter(outdated::isOutdatedIfPending).toList();
        forget(pendingAgain);
        pendingAgain.forEach(row -> known.remove(row.rowId()));
        Map<String, Long> closed =
                sideRows.closedAmong(passed.stream().map(ThinRow::keyHash).toList());
        return passed.stream()
                .filter(row -> !known.containsKey(row.rowId()) && !closed.containsKey(row.keyHash()))
                .findFirst()
                .map(row -> row.position().before());
    }

    private void forget(List<SideRow> gone) throws SQLException {
        if (!gone.isEmpty()) {
            lease.alone(() -> connection.retryOnConflict(() -> {
                lease.fence(connection);
                sideRows.drop(gone.stream().map(SideRow::rowId).toList());
                return gone;
            }));
            gone.stream().filter(row -> row.holds() || !row.is(SideState.DEAD)).forEach(opened::add);
        }
    }
}
