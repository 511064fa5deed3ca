package dev.waybill.table.relay;

import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.SideRows;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableReader;
import dev.waybill.table.rows.TableRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reading position of a session. Everything up to {@code reached} was read once. The next page starts at {@code start},
 * which is lower after something sent the reader back: a transaction that ended ({@link LookBack}), a key that opened, or a
 * batch that was released. Rows that are in flight, that wait, or whose key is closed are skipped: they stay pending, and
 * nothing is written.
 *
 * <p>A page is read before its poll. If the poll says that rows may have become visible before the page, the page is not valid. If a row
 * is found to be gone whose key it closed, the page is valid, and the next one starts at that row.
 */
final class TableCursor {
    /** Pages to read without rows of closed keys before one is read with them again. */
    private static final int OPEN_ONLY_PAGES = 100;

    private final TableReader reader;
    private final SideRows sideRows;
    private final LookBack lookBack;
    private final RowsInFlight inFlight;

    private TablePosition start = TablePosition.START;
    private TablePosition reached = TablePosition.START;
    /** Also read by the thread that settles. */
    private volatile boolean anySideRows = true;
    /**
     * By key, a position before the first row that was skipped because its key is closed: a late commit may lie below the head.
     */
    private final Map<String, TablePosition> passedOver = new HashMap<>();
    /** A position before rows that the database left out. */
    private @Nullable TablePosition passedUnseen;
    /** The lowest position that the reader was sent back to since it began to read the last page. */
    private @Nullable TablePosition sentBackTo;
    /** Remaining pages for which the database leaves out rows of closed keys. Set when skipped rows filled a page. */
    private int openOnlyPages;

    /** A page and the rows of it that may be claimed. */
    static final class Page {
        private final TablePosition start;
        private final List<TableRow> rows;
        private final List<TableRow> open;
        private final boolean full;
        private final boolean cut;
        private final long nanos;
        private long low = LookBack.NOT_BACK;

        private Page(TablePosition start, List<TableRow> rows, Choice choice, boolean full, long nanos) {
            this.start = start;
            this.rows = rows;
            this.open = choice.rows();
            this.cut = choice.cut();
            this.full = full;
            this.nanos = nanos;
        }

        /** Whether no rows can have become visible before it. */
        boolean valid() {
            return low >= start.value();
        }

        boolean full() {
            return full;
        }
    }

    private record Choice(List<TableRow> rows, boolean cut) {}

    TableCursor(TableConnection connection, LookBack lookBack, RowsInFlight inFlight) {
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.lookBack = lookBack;
        this.inFlight = inFlight;
    }

    TablePosition reached() {
        return reached;
    }

    void goBackTo(TablePosition position) {
        start = TablePosition.lower(start, position);
        sentBackTo = sentBackTo == null ? position : TablePosition.lower(sentBackTo, position);
    }

    /** Everything is read again, and what is skipped then is noted anew. */
    void goBackToStart() {
        goBackTo(TablePosition.START);
        passedOver.clear();
        passedUnseen = null;
    }

    /** Reads again from this row, and from the first row that was skipped for its key. */
    void goBackFor(TableRow row) {
        goBackFor(row.position().before(), row::keyHash);
    }

    /** The same for a row that may be gone. */
    void goBackFor(SideRow row) {
        goBackFor(TablePosition.after(row.position()).before(), row::keyHash);
    }

    /** The same without the row itself. */
    void goBackBehind(TableRow row) {
        goBackFor(row.position(), row::keyHash);
    }

    private void goBackFor(TablePosition position, Supplier<String> keyHash) {
        goBackTo(position);
        if (!passedOver.isEmpty()) {
            @Nullable TablePosition lowest = passedOver.remove(keyHash.get());
            goBackTo(lowest == null ? start : lowest);
        }
        @Nullable TablePosition unseen = passedUnseen;
        if (unseen != null) {
            passedUnseen = null;
            goBackTo(unseen);
        }
    }

    Page read(Limits max) throws SQLException {
        sentBackTo = null;
        // Rows in flight are not above what was read, so a reader that continues does not find them.
        int met = start.isBefore(reached) ? inFlight.size() : 0;
        int limit = (int) Math.min(Integer.MAX_VALUE, (long) max.events() + met);
        Page page = read(max, limit, openOnlyPages > 0);
        if (page.full && page.open.isEmpty() && anySideRows && openOnlyPages == 0) {
            openOnlyPages = OPEN_ONLY_PAGES;
            page = read(max, limit, true);
        }
        return page;
    }

    private Page read(Limits max, int limit, boolean openOnly) throws SQLException {
        long began = System.nanoTime();
        List<TableRow> rows = openOnly ? reader.openPage(start, reached, limit) : reader.page(start, reached, limit);
        long nanos = System.nanoTime() - began;
        if (openOnly) {
            openOnlyPages--;
            passedUnseen = passedUnseen == null ? start : TablePosition.lower(passedUnseen, start);
        }
        return new Page(start, rows, choose(rows, max), rows.size() == limit, nanos);
    }

    private Choice choose(List<TableRow> rows, Limits max) throws SQLException {
        List<TableRow> fresh =
                rows.stream().filter(row -> !inFlight.contains(row.rowId())).toList();
        Set<String> waiting = Set.of();
        Map<String, Long> closed = Map.of();
        if (anySideRows && !fresh.isEmpty()) {
            waiting = sideRows.among(fresh.stream().map(TableRow::rowId).toList());
            closed = sideRows.closedAmong(fresh.stream().map(TableRow::keyHash).toList());
        }
        List<TableRow> chosen = new ArrayList<>();
        long bytes = 0;
        for (TableRow row : fresh) {
            if (waiting.contains(row.rowId())) {
                continue;
            }
            if (!closed.isEmpty() && closed.containsKey(row.keyHash())) {
                passedOver.merge(row.keyHash(), row.position().before(), TablePosition::lower);
                continue;
            }
            bytes += row.bytes();
            if (chosen.size() == max.events() || (bytes > max.bytes() && !chosen.isEmpty())) {
                return new Choice(chosen, true);
            }
            chosen.add(row);
        }
        return new Choice(chosen, false);
    }

    /** Evaluates the poll taken after the page. */
    void lookBack(TablePoll poll, Page page) {
        anySideRows = poll.sideRows();
        page.low = lookBack.low(poll, reached, page.nanos);
        if (!page.valid()) {
            goBackTo(TablePosition.after(page.low));
        }
    }

    /** Those of these rows whose keys are not closed. */
    List<TableRow> withOpenKeys(List<TableRow> rows) throws SQLException {
        Map<String, Long> closed =
                sideRows.closedAmong(rows.stream().map(TableRow::keyHash).toList());
        return rows.stream().filter(row -> !closed.containsKey(row.keyHash())).toList();
    }

    /** Whether the side table may have rows. */
    boolean anySideRows() {
        return anySideRows;
    }

    /** Failed rows have side rows from now on. */
    void settled(List<Settlement> settlements) {
        anySideRows |= settlements.stream()
                .anyMatch(settlement ->
                        settlement instanceof Settlement.RetryAt || settlement instanceof Settlement.Dead);
    }

    void sideRowsAdded() {
        anySideRows = true;
    }

    /** Continues after a valid page. */
    List<TableRow> accept(Page page) throws SQLException {
        TablePosition end = end(page);
        if (!end.isBefore(reached)) {
            reached = end;
        }
        start = TablePosition.lower(end, TablePosition.after(page.low));
        if (sentBackTo != null) {
            start = TablePosition.lower(start, sentBackTo);
        }
        return reader.fill(page.open);
    }

    private TablePosition end(Page page) {
        if (page.cut) {
            return page.open.get(page.open.size() - 1).position();
        }
        TablePosition last = page.rows.isEmpty()
                ? page.start
                : page.rows.get(page.rows.size() - 1).position();
        if (page.full) {
            return last;
        }
        TablePosition seen = TablePosition.later(reached, last);
        return TablePosition.later(seen, TablePosition.after(lookBack.floor()));
    }
}
