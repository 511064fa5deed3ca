package dev.waybill.table;

import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What waits, and what is dead, in a table. Rows behind one that waits are written down nowhere: they are the pending rows of
 * its key, and are found by looking through all that is pending.
 *
 * <p>A list goes by the value that orders rows. Any number of rows may have the same one, and three queries find them, each with
 * an order of its own: so among those of one value they come state by state, as the query of the state gives them.
 */
final class TableParked {
    private static final String ANY_BLOCKER = """
            select 1 from {claim} where outbox = ? and (state = 'retry' or holds) limit 1""";

    private static final int PAGE = 5_000;

    private final TableConnection connection;
    private final TableReader reader;
    private final SideRows sideRows;
    private final boolean saysDead;

    /** A parked row. */
    record Found(ThinRow row, ParkedState state, @Nullable SideRow side) {
        Place place() {
            return new Place(row.position().value(), state, row.rowId());
        }

        ParkedEvent event() {
            return TableParked.event(row, state, side);
        }
    }

    /** A place in the list, behind a row. */
    record Place(long value, ParkedState state, String rowId) {
        static Place parse(String cursor) {
            String[] parts = cursor.split("/", 3);
            try {
                return new Place(Long.parseLong(parts[0]), ParkedState.valueOf(parts[1]), parts[2]);
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw EventQuery.notACursor(cursor);
            }
        }

        @Override
        public String toString() {
            return value + "/" + state + "/" + rowId;
        }
    }

    TableParked(TableConnection connection) {
        this.connection = connection;
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.saysDead = !connection.isReplay() && TableText.saysDead(connection.layout());
    }

    List<ParkedEvent> list(ParkedQuery query) throws SQLException {
        return page(query.state(), query.after().map(Place::parse), query.atMost()).stream()
                .map(Found::event)
                .toList();
    }

    /** The next ones, of this state or of all; fewer than asked for only at the end. */
    List<Found> page(Optional<ParkedState> only, Optional<Place> after, int limit) throws SQLException {
        List<Found> found = new ArrayList<>();
        for (ParkedState state : ParkedState.values()) {
            if (only.orElse(state) == state) {
                found.addAll(of(state, after, limit));
            }
        }
        found.sort(Comparator.<Found>comparingLong(one -> one.row().position().value())
                .thenComparing(Found::state));
        return found.subList(0, Math.min(limit, found.size()));
    }

    private List<Found> of(ParkedState state, Optional<Place> after, int limit) throws SQLException {
        return switch (state) {
            case DUE -> aside(SideState.RETRY, state, after, limit);
            case WAITING ->
                connection.isReplay()
                        ? aside(SideState.BEHIND, state, after, limit)
                        : waiting(pendingPlace(state, after), limit);
            case DEAD ->
                saysDead ? deadRows(pendingPlace(state, after), limit) : aside(SideState.DEAD, state, after, limit);
        };
    }

    /** Where the rows of a state go on in their table. */
    private TablePosition pendingPlace(ParkedState state, Optional<Place> after) {
        if (after.isEmpty()) {
            return TablePosition.START;
        }
        Place place = after.get();
        int order = state.compareTo(place.state());
        return order > 0
                ? TablePosition.after(place.value()).before()
                : order < 0
                        ? TablePosition.after(place.value())
                        : new TablePosition(place.value(), connection.id(place.rowId()));
    }

    /** Where the rows of a state go on in the side table. */
    private static SideRows.Place sidePlace(ParkedState state, Optional<Place> after) {
        if (after.isEmpty()) {
            return SideRows.Place.START;
        }
        Place place = after.get();
        int order = state.compareTo(place.state());
        return order > 0
                ? SideRows.Place.before(place.value())
                : new SideRows.Place(place.value(), order < 0 ? "" : place.rowId());
    }

    /** Rows of which the side table speaks, as far as they say nothing else themselves. */
    private List<Found> aside(SideState says, ParkedState state, Optional<Place> after, int limit) throws SQLException {
        SideRows.Place from = sidePlace(state, after);
        List<Found> found = new ArrayList<>();
        List<SideRow> page;
        do {
            int asked = limit - found.size();
            page = sideRows.page(says, from, asked);
            Map<String, TableReader.Standing> standing =
                    reader.standing(page.stream().map(SideRow::rowId).toList());
            for (SideRow side : page) {
                TableReader.@Nullable Standing row = standing.get(side.rowId());
                if (row != null && row.says() == RowState.PENDING) {
                    found.add(new Found(row.row(), state, side));
                }
                from = SideRows.Place.of(side);
            }
            if (page.size() < asked) {
                return found;
            }
        } while (found.size() < limit);
        return found;
    }

    private List<Found> deadRows(TablePosition after, int limit) throws SQLException {
        List<ThinRow> rows = reader.deadPage(after, limit);
        Map<String, SideRow> sides =
                sideRows.of(rows.stream().map(ThinRow::rowId).toList());
        return rows.stream()
                .map(row -> new Found(row, ParkedState.DEAD, sides.get(row.rowId())))
                .toList();
    }

    private List<Found> waiting(TablePosition after, int limit) throws SQLException {
        if (!anyBlocker()) {
            return List.of();
        }
        List<Found> found = new ArrayList<>();
        scan(after, (row, state) -> {
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

    /** Looks through pending rows in order, until it is told to stop. */
    void scan(TablePosition after, Scan scan) throws SQLException {
        TablePosition from = after;
        boolean anyClosed = anyBlocker();
        List<ThinRow> rows;
        do {
            rows = reader.thinPage(from, PAGE);
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
        } while (rows.size() == PAGE);
    }

    private Scanned scanned(@Nullable SideRow side, boolean closed) {
        if (side != null && side.is(SideState.RETRY)) {
            return Scanned.RETRY;
        }
        if (side != null && side.is(SideState.DEAD) && !saysDead) {
            return Scanned.DEAD;
        }
        return closed ? Scanned.WAITING : Scanned.FRESH;
    }

    boolean anyBlocker() throws SQLException {
        return connection.exists(ANY_BLOCKER, connection.outbox());
    }

    static ParkedEvent event(ThinRow row, ParkedState state, @Nullable SideRow side) {
        String cursor = new Place(row.position().value(), state, row.rowId()).toString();
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
}
