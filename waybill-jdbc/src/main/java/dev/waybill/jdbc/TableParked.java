package dev.waybill.jdbc;

import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What waits, and what is dead, in a table. Rows behind one that waits are written down nowhere: they are the pending rows of
 * its key, and are found by looking through the first {@value #SCANNED} pending rows.
 */
final class TableParked {
    static final int SCANNED = 100_000;
    private static final int PAGE = 5_000;
    private static final int RANK_BITS = 12;
    private static final long YEAR_2000 = 946_684_800_000_000L;

    private final TableConnection connection;
    private final TableReader reader;
    private final SideRows sideRows;
    private final boolean numbered;
    private final boolean saysDead;

    /** A parked row before it has its place in a list. */
    private record Found(
            ThinRow row, ParkedState state, @Nullable SideRow side) {}

    /** A parked row with its place. */
    record Placed(
            long cursor,
            ThinRow row,
            ParkedState state,
            @Nullable SideRow side) {
        ParkedEvent event() {
            return TableParked.event(cursor, row, state, side);
        }
    }

    TableParked(TableConnection connection) {
        this.connection = connection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.numbered = connection.layout().has(TableColumn.SEQUENCE);
        this.saysDead = !connection.isReplay() && TableText.saysDead(connection.layout());
    }

    List<ParkedEvent> list(ParkedQuery query) throws SQLException {
        return page(query).stream().map(Placed::event).toList();
    }

    List<Placed> page(ParkedQuery query) throws SQLException {
        long value = numbered ? query.after() + 1 : (query.after() >> RANK_BITS) + YEAR_2000;
        int limit = query.atMost() + (int) (query.after() & ((1 << RANK_BITS) - 1)) + 1;
        List<Found> found = new ArrayList<>();
        if (query.state().orElse(ParkedState.DUE) == ParkedState.DUE) {
            found.addAll(retries(value, limit));
        }
        if (query.state().orElse(ParkedState.WAITING) == ParkedState.WAITING) {
            found.addAll(waiting(value, limit));
        }
        if (query.state().orElse(ParkedState.DEAD) == ParkedState.DEAD) {
            found.addAll(saysDead ? deadRows(value, limit) : deadAside(value, limit));
        }
        found.sort(Comparator.comparingLong((Found one) -> one.row().position().value())
                .thenComparing(one -> one.row().rowId()));
        return placed(found, query);
    }

    /** A cursor is the row's number; or its time, and its rank among rows of that time. */
    private List<Placed> placed(List<Found> found, ParkedQuery query) {
        List<Placed> placed = new ArrayList<>();
        long lastValue = Long.MIN_VALUE;
        long rank = 0;
        for (Found one : found) {
            long value = one.row().position().value();
            rank = value == lastValue ? rank + 1 : 0;
            lastValue = value;
            long cursor = numbered ? value : ((value - YEAR_2000) << RANK_BITS) + rank;
            if (cursor > query.after() && placed.size() < query.atMost()) {
                placed.add(new Placed(cursor, one.row(), one.state(), one.side()));
            }
        }
        return placed;
    }

    private List<Found> retries(long from, int limit) throws SQLException {
        return aside(SideRow.RETRY, ParkedState.DUE, from, limit);
    }

    private List<Found> deadAside(long from, int limit) throws SQLException {
        return aside(SideRow.DEAD, ParkedState.DEAD, from, limit);
    }

    /** Rows of which the side table speaks, as far as they say nothing else themselves. */
    private List<Found> aside(String state, ParkedState parked, long from, int limit) throws SQLException {
        List<SideRow> page = sideRows.page(state, SideRows.Place.before(from), limit);
        Map<String, TableReader.Standing> standing =
                reader.standing(page.stream().map(SideRow::rowId).toList());
        List<Found> found = new ArrayList<>();
        for (SideRow side : page) {
            TableReader.@Nullable Standing row = standing.get(side.rowId());
            if (row != null && row.says().equals(TableReader.Standing.PENDING)) {
                found.add(new Found(row.row(), parked, side));
            }
        }
        return found;
    }

    private List<Found> deadRows(long from, int limit) throws SQLException {
        List<ThinRow> rows = reader.deadPage(TablePosition.after(from - 1), limit);
        Map<String, SideRow> sides =
                sideRows.of(rows.stream().map(ThinRow::rowId).toList());
        return rows.stream()
                .map(row -> new Found(row, ParkedState.DEAD, sides.get(row.rowId())))
                .toList();
    }

    private List<Found> waiting(long from, int limit) throws SQLException {
        if (connection.isReplay()) {
            return aside(SideRow.BEHIND, ParkedState.WAITING, from, limit);
        }
        OptionalLong first = firstBlocker();
        if (first.isEmpty()) {
            return List.of();
        }
        List<Found> found = new ArrayList<>();
        scan(TablePosition.after(from - 1), (row, state) -> {
            if (state == Scanned.WAITING) {
                found.add(new Found(row, ParkedState.WAITING, null));
            }
            return found.size() < limit;
        });
        return found;
    }

    /** What a pending row is doing. */
    enum Scanned {
        FRESH,
        RETRY,
        WAITING,
        DEAD
    }

    interface Scan {
        /** @return whether to go on */
        boolean meet(ThinRow row, Scanned state);
    }

    /** Looks through pending rows in order. */
    void scan(TablePosition after, Scan scan) throws SQLException {
        TablePosition from = after;
        boolean anyClosed = firstBlocker().isPresent();
        for (int seen = 0; seen < SCANNED; seen += PAGE) {
            List<ThinRow> rows = reader.thinPage(from, PAGE);
            Map<String, SideRow> sides =
                    sideRows.of(rows.stream().map(ThinRow::rowId).toList());
            Map<String, Long> closed = anyClosed
                    ? sideRows.closedAmong(rows.stream().map(ThinRow::keyHash).toList())
                    : Map.of();
            for (ThinRow row : rows) {
                if (!scan.meet(row, scanned(sides.get(row.rowId()), anyClosed && closed.containsKey(row.keyHash())))) {
                    return;
                }
                from = row.position();
            }
            if (rows.size() < PAGE) {
                return;
            }
        }
    }

    private Scanned scanned(@Nullable SideRow side, boolean closed) {
        if (side != null && side.state().equals(SideRow.RETRY)) {
            return Scanned.RETRY;
        }
        if (side != null && side.state().equals(SideRow.DEAD) && !saysDead) {
            return Scanned.DEAD;
        }
        return closed ? Scanned.WAITING : Scanned.FRESH;
    }

    OptionalLong firstBlocker() throws SQLException {
        PreparedStatement statement = connection.prepare(TableAdminSql.ANY_BLOCKER);
        statement.setString(1, connection.outbox());
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            long first = row.getLong(1);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(first);
        }
    }

    static ParkedEvent event(long cursor, ThinRow row, ParkedState state, @Nullable SideRow side) {
        if (side == null) {
            return new ParkedEvent(
                    cursor, row.rowId(), row.type(), state, row.attempts(), row.error(), Optional.empty(), false);
        }
        Optional<Instant> next =
                side.nextAttemptAt().isPresent() && side.nextAttemptAt().getAsLong() > 0
                        ? Optional.of(TableTimes.instant(side.nextAttemptAt().getAsLong()))
                        : Optional.empty();
        return new ParkedEvent(
                cursor, row.rowId(), row.type(), state, side.attempts(), side.error(), next, side.holds());
    }

    /** The place in a list of an event that is shown alone. */
    long cursor(ThinRow row) {
        long value = row.position().value();
        return numbered ? value : (value - YEAR_2000) << RANK_BITS;
    }
}
