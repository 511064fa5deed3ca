package dev.waybill.table.admin;

import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.table.rows.RowState;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.TableTimes;
import dev.waybill.table.rows.ThinRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait or are dead. Rows behind a waiting one have no side rows: they are the pending rows of its key, found by a
 * scan of the pending rows.
 *
 * <p>A list is ordered by the value that orders rows. Any number of rows may have the same value, and three queries with
 * different orders find them. So rows of one value are ordered by state, then as the query of that state returns them.
 */
final class TableParked {
    private static final String ANY_BLOCKER = """
            select 1 from {claim} where outbox = ? and (state = 'retry' or holds) limit 1""";

    private static final int PAGE = 5_000;
    private static final int LOOKED_AT = 10_000;

    private final TableConnection connection;
    private final TableReader reader;
    private final SideRows sideRows;
    private final boolean hasDeadState;

    /** A parked row. */
    record Found(ThinRow row, ParkedState state, @Nullable SideRow side) {
        Place place() {
            return new Place(row.position().value(), state, row.rowId());
        }

        ParkedEvent event() {
            return TableParked.event(row, state, side);
        }
    }

    /** A place in the list, after a row. */
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
        this.hasDeadState = !connection.isReplay() && TableText.hasDeadState(connection.layout());
    }

    List<ParkedEvent> list(ParkedQuery query) throws SQLException {
        return page(query.state(), query.after().map(Place::parse), query.atMost()).stream()
                .map(Found::event)
                .toList();
    }

    /** The next rows, of one state or of all; fewer than the limit only at the end. */
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
            case DUE -> retries(false, state, after, limit);
            case WAITING ->
                connection.isReplay()
                        ? merged(
                                fromSideTable(in(SideState.BEHIND), state, after, limit),
                                retries(true, state, after, limit),
                                limit)
                        : waiting(pendingPlace(state, after), limit);
            case DEAD ->
                hasDeadState
                        ? merged(
                                deadRows(pendingPlace(state, after), limit),
                                fromSideTable(sideRows::refused, state, after, limit),
                                limit)
                        : fromSideTable(in(SideState.DEAD), state, after, limit);
        };
    }

    private static List<Found> merged(List<Found> some, List<Found> others, int limit) {
        if (others.isEmpty()) {
            return some;
        }
        List<Found> both = new ArrayList<>(some);
        both.addAll(others);
        both.sort(Comparator.<Found>comparingLong(one -> one.row().position().value())
                .thenComparing(one -> one.row().rowId()));
        return both.subList(0, Math.min(limit, both.size()));
    }

    /** Side rows after a place, in order. */
    private interface SidePages {
        List<SideRow> after(SideRows.Place place, int limit) throws SQLException;
    }

    private SidePages in(SideState state) {
        return (place, limit) -> sideRows.page(state, place, limit);
    }

    /** @param held whether those behind a dead row that holds their key, or the others */
    private List<Found> retries(boolean held, ParkedState state, Optional<Place> after, int limit) throws SQLException {
        return fromSideTable(in(SideState.RETRY), rows -> rowsThat(held, rows), state, after, limit);
    }

    private Set<String> rowsThat(boolean held, List<SideRow> rows) throws SQLException {
        Set<String> heldRows = sideRows.heldRetries(rows);
        return rows.stream()
                .map(SideRow::rowId)
                .filter(id -> heldRows.contains(id) == held)
                .collect(Collectors.toSet());
    }

    /** Where to continue in the outbox table for a state. */
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

    /** Where to continue in the side table for a state. */
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

    /** Chooses among the side rows of a page. */
    private interface Choice {
        /** @return ids of rows */
        Set<String> among(List<SideRow> rows) throws SQLException;
    }

    /** Pending rows with these side rows. */
    private List<Found> fromSideTable(SidePages pages, ParkedState state, Optional<Place> after, int limit)
            throws SQLException {
        return fromSideTable(
                pages, rows -> rows.stream().map(SideRow::rowId).collect(Collectors.toSet()), state, after, limit);
    }

    private List<Found> fromSideTable(
            SidePages pages, Choice choice, ParkedState state, Optional<Place> after, int limit) throws SQLException {
        SideRows.Place from = sidePlace(state, after);
        List<Found> found = new ArrayList<>();
        List<SideRow> page;
        do {
            int asked = limit - found.size();
            page = pages.after(from, asked);
            Map<String, TableReader.RowWithState> stored = reader.withState(List.copyOf(choice.among(page)));
            for (SideRow side : page) {
                TableReader.@Nullable RowWithState row = stored.get(side.rowId());
                if (row != null && row.state() == RowState.PENDING) {
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
        scan(after, (row, state, side) -> {
            if (state.waits()) {
                found.add(new Found(row, ParkedState.WAITING, side));
            }
            return found.size() < limit;
        });
        return found;
    }

    /** Rows of the same key that wait, among the next {@value #LOOKED_AT} pending rows. */
    Followers behind(ThinRow row, int atMost) throws SQLException {
        List<ParkedEvent> found = new ArrayList<>();
        int[] looked = {0};
        scan(row.position(), (next, state, side) -> {
            if (state.waits() && next.keyHash().equals(row.keyHash())) {
                found.add(event(next, ParkedState.WAITING, side));
            }
            return ++looked[0] < LOOKED_AT && found.size() <= atMost;
        });
        Followers first = Followers.first(found, atMost);
        return looked[0] < LOOKED_AT ? first : new Followers(first.events(), false);
    }

    /** The state of a pending row. */
    enum Scanned {
        FRESH,
        RETRY,
        /** Behind a dead row that holds its key. */
        HELD_RETRY,
        WAITING,
        DEAD;

        boolean waits() {
            return this == WAITING || this == HELD_RETRY;
        }
    }

    interface Scan {
        /** @return whether to continue */
        boolean meet(ThinRow row, Scanned state, @Nullable SideRow side);
    }

    /** Visits pending rows in order until the visitor stops. */
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
            Set<String> held = sideRows.heldRetries(sides.values());
            for (ThinRow row : rows) {
                @Nullable SideRow side = sides.get(row.rowId());
                Scanned state = held.contains(row.rowId())
                        ? Scanned.HELD_RETRY
                        : scanned(side, anyClosed && closed.containsKey(row.keyHash()));
                if (!scan.meet(row, state, side)) {
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
        if (side != null && side.is(SideState.DEAD) && (!hasDeadState || side.isRefused())) {
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
                    cursor,
                    row.rowId(),
                    row.type(),
                    state,
                    row.attempts(),
                    row.error(),
                    Optional.empty(),
                    Optional.empty(),
                    false);
        }
        Optional<Instant> next =
                side.nextAttemptAt().isPresent() && side.nextAttemptAt().getAsLong() > 0
                        ? Optional.of(TableTimes.instant(side.nextAttemptAt().getAsLong()))
                        : Optional.empty();
        return new ParkedEvent(
                cursor,
                row.rowId(),
                row.type(),
                state,
                side.attempts(),
                side.error(),
                next,
                Optional.empty(),
                side.holds());
    }
}
