package dev.waybill.table.admin;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.ThinRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of rows, newest first ({@link NewestFirstReader}). Outbox tables have no indexes for filters, so rows are filtered
 * here, and a page reads a bounded number of them.
 */
final class TableListing {
    /** Most rows read for one page. */
    private static final int MAX_READ = 20_000;

    private static final int STEP = 2_000;

    private final TableConnection connection;
    private final EventQuery query;
    private final NewestFirstReader walk;
    private final SideRows sideRows;

    private record Found(ListedRow row, EventSummary.Standing standing) {}

    TableListing(TableConnection connection, EventQuery query) throws SQLException {
        this.connection = connection;
        this.query = query;
        this.walk = new NewestFirstReader(connection, query);
        this.sideRows = new SideRows(connection);
    }

    EventListing page() throws SQLException {
        Optional<String> relay = relay();
        if (query.state().isPresent() && relay.isEmpty()) {
            return new EventListing(List.of(), Optional.empty(), 0);
        }
        List<Found> found = new ArrayList<>();
        int lookedAt = 0;
        boolean unfiltered = query.state().isEmpty() && query.filter().equals(EventFilter.ALL);
        int step = unfiltered ? query.atMost() + 1 : STEP;
        while (!walk.finished() && found.size() <= query.atMost() && lookedAt < MAX_READ) {
            List<ListedRow> rows = walk.next(step);
            lookedAt += rows.size();
            found.addAll(matching(rows, relay.orElse("")));
        }
        List<Found> page = found.subList(0, Math.min(found.size(), query.atMost()));
        return new EventListing(page.stream().map(one -> summary(one, relay)).toList(), next(found, page), lookedAt);
    }

    private Optional<String> next(List<Found> found, List<Found> page) {
        if (found.size() > page.size()) {
            return Optional.of(walk.cursor(page.get(page.size() - 1).row()));
        }
        return walk.finished() ? Optional.empty() : Optional.of(walk.cursor());
    }

    /** The table's relay, if the query is not about another one. */
    private Optional<String> relay() throws SQLException {
        return connection
                .first(TableStatus.RELAY, row -> row.getString(1), connection.outbox())
                .filter(name ->
                        query.relay().isEmpty() || query.relay().get().value().equals(name));
    }

    private List<Found> matching(List<ListedRow> rows, String relay) throws SQLException {
        List<ListedRow> matching =
                rows.stream().filter(row -> row.row().matches(query.filter())).toList();
        Map<String, SideRow> sides =
                sideRows.of(matching.stream().map(row -> row.row().rowId()).toList());
        Map<String, Long> closed = sideRows.closedAmong(matching.stream()
                .filter(ListedRow::isPending)
                .map(row -> row.row().keyHash())
                .toList());
        List<Found> found = new ArrayList<>();
        for (ListedRow row : matching) {
            @Nullable SideRow side = sides.get(row.row().rowId());
            EventSummary.Standing standing =
                    standing(row, side, closed.containsKey(row.row().keyHash()), relay);
            if (query.state().isEmpty() || query.state().get() == standing.state()) {
                found.add(new Found(row, standing));
            }
        }
        return found;
    }

    private EventSummary.Standing standing(ListedRow row, @Nullable SideRow side, boolean closed, String relay) {
        return new EventSummary.Standing(
                relay,
                row.state(connection.layout(), side, closed),
                side == null ? row.row().attempts() : side.attempts(),
                side == null ? row.row().error() : side.error());
    }

    private static EventSummary summary(Found found, Optional<String> relay) {
        ThinRow row = found.row().row();
        return new EventSummary(
                row.rowId(),
                row.type(),
                row.aggregateType(),
                Optional.of(row.aggregateId()),
                row.createdAt(),
                relay.isPresent() ? List.of(found.standing()) : List.of());
    }
}
