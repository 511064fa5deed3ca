package dev.waybill.table.admin;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventQuery;
import dev.waybill.jdbc.kernel.SeqRange;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableNumbers;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.UnreadableRows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads an outbox table newest first, along an existing index: by number; by time within each state, if there is such an index;
 * otherwise by id. If the layout has no state for dead rows, these are read along the side table.
 */
final class NewestFirstReader {
    private static final String LISTED_BY_ID = "select {listed_columns} from {table} where {id} {among}";

    /** {which} is a condition for the state. */
    private static final String NUMBERED = """
            select {listed_columns} from {table} where {which} and {sequence} < ? and {sequence} >= ?
             order by {sequence} desc limit ?""";

    /** {below} is a condition for the position, or empty. */
    private static final String BY_ID =
            "select {listed_columns} from {table} where 1 = 1 {below} order by {id} desc limit ?";

    private static final String BELOW_ID = "and {id} < ?";

    /** {above} and {below} are conditions for the time, or empty. */
    private static final String BY_TIME = """
            select {listed_columns} from {table} where {which} {above} {below}
             order by {created_at} desc, {id} desc limit ?""";

    private static final String ABOVE_TIME = "and {created_at} >= ?";

    private static final String BELOW_TIME = "and {created_at} < ?";

    private static final String BELOW_ROW = "and {created_at} <= ? and ({created_at} < ? or {id} < ?)";

    private static final String SIDE_DOWN = """
            select row_id, position from {claim}
             where outbox = ? and state = ? and position <= ? and (position < ? or row_id < ?)
             order by position desc, row_id desc limit ?""";

    private final TableConnection connection;
    private final TableLayout layout;
    private final UnreadableRows<ListedRow> byId;
    private final EventFilter filter;
    private final Order order;
    private final List<String> which;
    private @Nullable TablePosition place;
    private @Nullable SeqRange range;
    private boolean finished;

    private enum Order {
        NUMBER,
        TIME,
        ID,
        SIDE_TABLE
    }

    NewestFirstReader(TableConnection connection, EventQuery query) throws SQLException {
        this.connection = connection;
        this.layout = connection.layout();
        this.filter = query.filter();
        TableSelection.requireTimes(layout, filter);
        this.byId = new UnreadableRows<>(
                connection,
                LISTED_BY_ID,
                row -> ListedRow.read(connection, row),
                listed -> listed.row().rowId(),
                (listed, reason) -> listed);
        this.which = which(query.state());
        this.order = order(query.state());
        this.place = query.after().map(this::place).orElse(null);
    }

    private List<String> which(Optional<EventHistory.State> state) throws SQLException {
        if (state.isEmpty() && layout.state() instanceof TableState.Presence) {
            return List.of("{is_pending}");
        }
        if (state.isEmpty()) {
            return TableText.hasDeadState(layout)
                    ? List.of("{is_pending}", "{is_dead}", "{is_published}")
                    : List.of("{is_pending}", "{is_published}");
        }
        return switch (state.get()) {
            case PENDING, PARKED -> List.of("{is_pending}");
            case DEAD -> anyRefused() ? List.of("{is_dead}", "{is_pending}") : List.of("{is_dead}");
            case PUBLISHED, DISCARDED -> List.of("{is_published}");
        };
    }

    /** Whether the table still has dead rows as pending: {@code SideRow.refused}. */
    private boolean anyRefused() throws SQLException {
        return !new SideRows(connection).refused(SideRows.Place.START, 1).isEmpty();
    }

    private Order order(Optional<EventHistory.State> state) {
        boolean dead = state.filter(EventHistory.State.DEAD::equals).isPresent();
        if (dead && !TableText.hasDeadState(layout)) {
            return Order.SIDE_TABLE;
        }
        if (layout.has(TableColumn.SEQUENCE)) {
            return Order.NUMBER;
        }
        boolean published = which.contains("{is_published}");
        return !layout.has(TableColumn.CREATED_AT) || (published && !publishedByTime()) ? Order.ID : Order.TIME;
    }

    /** Whether an index returns published rows in the order of their creation; see {@code LayoutDdlSql}. */
    private boolean publishedByTime() {
        if (layout.state() instanceof TableState.PublishedTime) {
            return false;
        }
        List<List<TableColumn>> byState = layout.indexes().stream()
                .map(TableLayout.Index::columns)
                .filter(columns -> columns.get(0) == TableColumn.STATE)
                .toList();
        return byState.isEmpty()
                ? !connection.dialect().sql().partialIndexes()
                : byState.stream().anyMatch(columns -> columns.indexOf(TableColumn.CREATED_AT) == 1);
    }

    /** Whether {@link #next} has returned all rows. */
    boolean finished() {
        return finished;
    }

    /** The current position as a cursor. */
    String cursor() {
        return cursor(Objects.requireNonNull(place, "place"));
    }

    String cursor(ListedRow row) {
        return cursor(placeOf(row));
    }

    private static String cursor(TablePosition place) {
        return place.value() + "/" + (place.id() == null ? "" : place.id());
    }

    private TablePosition place(String cursor) {
        int slash = cursor.indexOf('/');
        try {
            long value = Long.parseLong(cursor.substring(0, Math.max(0, slash)));
            String id = cursor.substring(slash + 1);
            return switch (order) {
                case NUMBER -> TablePosition.after(value);
                case TIME, ID -> new TablePosition(value, connection.id(id));
                case SIDE_TABLE -> new TablePosition(value, id);
            };
        } catch (IllegalArgumentException e) {
            throw EventQuery.notACursor(cursor);
        }
    }

    private TablePosition placeOf(ListedRow row) {
        return switch (order) {
            case NUMBER, TIME -> row.row().position();
            case ID -> new TablePosition(0, connection.id(row.row().rowId()));
            case SIDE_TABLE ->
                new TablePosition(row.row().position().value(), row.row().rowId());
        };
    }

    /** The next rows, up to a limit. Fewer rows do not mean that there are no more. */
    List<ListedRow> next(int limit) throws SQLException {
        if (order == Order.SIDE_TABLE) {
            return fromSideTable(limit);
        }
        List<ListedRow> rows = switch (order) {
            case NUMBER -> numbered(limit);
            case TIME -> byTime(limit);
            case ID, SIDE_TABLE -> byId(limit);
        };
        finished = rows.size() < limit;
        if (!rows.isEmpty()) {
            place = placeOf(rows.get(rows.size() - 1));
        }
        return rows;
    }

    private List<ListedRow> numbered(int limit) throws SQLException {
        String some = which.size() == 1 ? which.get(0) : "1 = 1";
        SeqRange all = range();
        return read(
                NUMBERED.replace("{which}", some),
                place == null ? all.below() : Math.min(place.value(), all.below()),
                all.from(),
                limit);
    }

    private SeqRange range() throws SQLException {
        if (range == null) {
            range = SeqRange.of(filter, new TableNumbers(connection));
        }
        return range;
    }

    private List<ListedRow> byTime(int limit) throws SQLException {
        String below = place != null ? BELOW_ROW : filter.until().isPresent() ? BELOW_TIME : "";
        String list = BY_TIME.replace("{above}", filter.from().isPresent() ? ABOVE_TIME : "")
                .replace("{below}", below);
        List<String> lists =
                which.stream().map(some -> list.replace("{which}", some)).toList();
        List<@Nullable Object> arguments = new ArrayList<>();
        for (int i = 0; i < lists.size(); i++) {
            addTimes(arguments);
            arguments.add(limit);
        }
        if (lists.size() > 1) {
            arguments.add(limit);
        }
        return read(merged(lists), arguments.toArray());
    }

    private void addTimes(List<@Nullable Object> arguments) {
        if (filter.from().isPresent()) {
            arguments.add(connection.times().bind(filter.from().get()));
        }
        if (place != null) {
            Object time = connection.times().bindMicros(place.value());
            arguments.add(time);
            arguments.add(time);
            arguments.add(place.id());
        } else if (filter.until().isPresent()) {
            arguments.add(connection.times().bind(filter.until().get()));
        }
    }

    private List<ListedRow> byId(int limit) throws SQLException {
        return place == null
                ? read(BY_ID.replace("{below}", ""), limit)
                : read(BY_ID.replace("{below}", BELOW_ID), place.id(), limit);
    }

    private List<ListedRow> read(String text, @Nullable Object... arguments) throws SQLException {
        try {
            return connection.query(text, row -> ListedRow.read(connection, row), arguments);
        } catch (SQLException e) {
            return byId.page(e, text, arguments);
        }
    }

    private List<ListedRow> fromSideTable(int limit) throws SQLException {
        TablePosition from = place == null ? new TablePosition(Long.MAX_VALUE, "") : place;
        List<TablePosition> places = connection.query(
                SIDE_DOWN,
                row -> new TablePosition(row.getLong(2), row.getString(1)),
                connection.outbox(),
                SideState.DEAD.column(),
                from.value(),
                from.value(),
                from.id(),
                limit);
        place = places.isEmpty() ? place : places.get(places.size() - 1);
        finished = places.size() < limit;
        List<String> ids = places.stream().map(one -> String.valueOf(one.id())).toList();
        Map<String, ListedRow> found = new HashMap<>();
        byId.read(connection.ids(ids)).forEach(row -> found.put(row.row().rowId(), row));
        return ids.stream()
                .flatMap(id -> Optional.ofNullable(found.get(id)).stream())
                .toList();
    }

    /**
     * Merges several {@link #BY_TIME} queries. The numbers are those of the columns for creation time and id in {@code
     * ThinRow}.
     */
    private static String merged(List<String> lists) {
        return lists.size() == 1
                ? lists.get(0)
                : "(" + String.join(") union all (", lists) + ") order by 6 desc, 1 desc limit ?";
    }
}
