package dev.waybill.table.relay;

import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableReader;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Once a minute reads all side rows, one page per claim, and deletes the outdated ones, so that rows which somebody set back to
 * pending by SQL, or wrote again, can be claimed. Other sessions do the same at the same time.
 */
final class CompetingSweep {
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int STEP = 1_000;
    private static final List<SideState> STATES = List.of(SideState.RETRY, SideState.DEAD, SideState.LEASED);

    /** Side rows in the state in which they were read, that no session works on. */
    private static final String LOCK_SIDE_ROWS = """
            select row_id from {claim}
             where concat(outbox, '') = ? and state = ? and (lease_until is null or lease_until < {clock})
               and row_id {among} for update skip locked""";

    private final TableConnection connection;
    private final LongSupplier nanoTime;
    private final TableReader reader;
    private final SideRows sideRows;
    private final OutdatedSideRows outdated;
    private long nextAt;
    private Optional<Integer> state = Optional.empty();
    private SideRows.Place place = SideRows.Place.START;

    CompetingSweep(TableConnection connection, LongSupplier nanoTime) {
        this.connection = connection;
        this.nanoTime = nanoTime;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.outdated = new OutdatedSideRows(connection);
        this.nextAt = nanoTime.getAsLong() + EVERY_NANOS;
    }

    void step() throws SQLException {
        if (state.isEmpty() && nanoTime.getAsLong() - nextAt >= 0) {
            begin(0);
        }
        boolean more = false;
        while (state.isPresent() && !more) {
            SideState read = STATES.get(state.get());
            List<SideRow> page = sideRows.page(read, place, STEP);
            forget(read, outdated.among(page));
            more = page.size() == STEP;
            if (more) {
                place = SideRows.Place.of(page.get(STEP - 1));
            } else {
                begin(state.get() + 1);
            }
        }
    }

    private void begin(int next) {
        place = SideRows.Place.START;
        state = next < STATES.size() ? Optional.of(next) : Optional.empty();
        if (state.isEmpty()) {
            nextAt = nanoTime.getAsLong() + EVERY_NANOS;
        }
    }

    /**
     * Looks again while the rows and then the side rows are locked, in the order in which sessions lock them: another session may
     * have settled a row since. Rows locked by others are left for the next minute.
     */
    private void forget(SideState read, List<SideRow> found) throws SQLException {
        if (found.isEmpty()) {
            return;
        }
        List<String> ids = found.stream().map(SideRow::rowId).toList();
        connection.retryOnConflict(() -> {
            Set<String> lockedRows = reader.lockFree(ids);
            Set<String> lockedSides = new HashSet<>(connection
                    .among(ids)
                    .query(LOCK_SIDE_ROWS, row -> row.getString(1), connection.outbox(), read.column()));
            List<SideRow> locked = found.stream()
                    .filter(side -> lockedSides.contains(side.rowId()))
                    .toList();
            Set<String> existing = reader.withState(
                            locked.stream().map(SideRow::rowId).toList())
                    .keySet();
            List<String> forgotten = new ArrayList<>();
            for (SideRow side : outdated.among(locked)) {
                if (lockedRows.contains(side.rowId()) || !existing.contains(side.rowId())) {
                    forgotten.add(side.rowId());
                }
            }
            sideRows.drop(forgotten);
            return forgotten;
        });
    }
}
