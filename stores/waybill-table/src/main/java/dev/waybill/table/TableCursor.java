package dev.waybill.table;

import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the session reads. Everything up to {@code reached} has been read once; a page begins at {@code start}, which lies
 * lower after something sent the reader back: a transaction that ended ({@link LookBack}), a key that opened, a batch that was
 * released. Rows that are out, that wait, or whose key is closed are passed over: they stay pending, and nothing is written.
 *
 * <p>A page is read first, the poll is taken after it. Rows that a look back would have had to show before the page's are
 * known from the poll, and then the page does not stand.
 */
final class TableCursor {
    /** So many pages are read without rows of closed keys before one is read with them again. */
    private static final int CROWDED_PAGES = 100;

    private final TableReader reader;
    private final SideRows sideRows;
    private final LookBack lookBack;
    private final OutRows out;

    private TablePosition start = TablePosition.START;
    private TablePosition reached = TablePosition.START;
    private boolean anySideRows = true;
    /** The lowest place of a row that was passed over because its key is closed, by key: a late commit may lie below the head. */
    private final Map<String, TablePosition> passedOver = new HashMap<>();
    /** A place before the rows that the database passed over, which were not seen here. */
    private @Nullable TablePosition passedUnseen;
    /** Where rows to be passed over filled a page, the database leaves them out of so many. */
    private int crowded;

    /** What was read, and what of it may be given out. */
    static final class Page {
        private final TablePosition start;
        private final List<TableRow> rows;
        private final List<TableRow> open;
        private final boolean full;
        private final boolean cut;
        private final long nanos;
        private boolean stands = true;
        private long low = LookBack.NOT_BACK;

        private Page(TablePosition start, List<TableRow> rows, Choice choice, boolean full, long nanos) {
            this.start = start;
            this.rows = rows;
            this.open = choice.rows();
            this.cut = choice.cut();
            this.full = full;
            this.nanos = nanos;
        }

        /** Whether nothing can have appeared before it. */
        boolean stands() {
            return stands;
        }

        boolean full() {
            return full;
        }
    }

    private record Choice(List<TableRow> rows, boolean cut) {}

    TableCursor(TableConnection connection, LookBack lookBack, OutRows out) {
        this.reader = new TableReader(connection);
        this.sideRows = new SideRows(connection);
        this.lookBack = lookBack;
        this.out = out;
    }

    TablePosition reached() {
        return reached;
    }

    void goBackTo(TablePosition position) {
        start = TablePosition.lower(start, position);
    }

    /** Reads again from this row on, and what was passed over for its key. */
    void goBackFor(TableRow row) {
        goBackTo(row.position().before());
        if (!passedOver.isEmpty()) {
            @Nullable TablePosition lowest = passedOver.remove(row.keyHash());
            goBackTo(lowest == null ? start : lowest);
        }
        @Nullable TablePosition unseen = passedUnseen;
        if (unseen != null) {
            passedUnseen = null;
            goBackTo(unseen);
        }
    }

    Page read(Limits max) throws SQLException {
        // What is out lies at most as high as what was read: who reads on does not meet it.
        int met = start.isBefore(reached) ? out.size() : 0;
        int limit = (int) Math.min(Integer.MAX_VALUE, (long) max.events() + met);
        Page page = read(max, limit, crowded > 0);
        if (page.full && page.open.isEmpty() && anySideRows && crowded == 0) {
            crowded = CROWDED_PAGES;
            page = read(max, limit, true);
        }
        return page;
    }

    private Page read(Limits max, int limit, boolean openOnly) throws SQLException {
        long began = System.nanoTime();
        List<TableRow> rows = openOnly ? reader.openPage(start, reached, limit) : reader.page(start, reached, limit);
        long nanos = System.nanoTime() - began;
        if (openOnly) {
            crowded--;
            passedUnseen = passedUnseen == null ? start : TablePosition.lower(passedUnseen, start);
        }
        return new Page(start, rows, choose(rows, max), rows.size() == limit, nanos);
    }

    private Choice choose(List<TableRow> rows, Limits max) throws SQLException {
        List<TableRow> fresh =
                rows.stream().filter(row -> !out.has(row.rowId())).toList();
        Set<String> aside = Set.of();
        Map<String, Long> closed = Map.of();
        if (anySideRows && !fresh.isEmpty()) {
            aside = sideRows.among(fresh.stream().map(TableRow::rowId).toList());
            closed = sideRows.closedAmong(fresh.stream().map(TableRow::keyHash).toList());
        }
        List<TableRow> chosen = new ArrayList<>();
        long bytes = 0;
        for (TableRow row : fresh) {
            if (aside.contains(row.rowId())) {
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

    /** Takes in what a poll says that was taken after the page. */
    void lookBack(TablePoll poll, Page page) {
        anySideRows = poll.sideRows();
        page.low = lookBack.low(poll, reached, page.nanos);
        if (page.low < page.start.value()) {
            page.stands = false;
            goBackTo(TablePosition.after(page.low));
        }
    }

    /** Whether there may be something in the side table. */
    boolean anySideRows() {
        return anySideRows;
    }

    /** What failed is in the side table from now on. */
    void settled(List<Settlement> settlements) {
        lookBack.ownTransactionEnded();
        anySideRows |= settlements.stream()
                .anyMatch(settlement ->
                        settlement instanceof Settlement.RetryAt || settlement instanceof Settlement.Dead);
    }

    /** Goes on behind a page that stands. */
    List<TableRow> accept(Page page) throws SQLException {
        TablePosition end = end(page);
        if (!end.isBefore(reached)) {
            reached = end;
        }
        start = TablePosition.lower(end, TablePosition.after(page.low));
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
