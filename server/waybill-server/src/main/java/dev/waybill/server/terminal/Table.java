package dev.waybill.server.terminal;

import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * A table for people. If it is wider than the terminal, it first shortens the columns that may be shortened, then drops the
 * dispensable ones, the last one first; if it is still too wide, every row becomes a block of lines. Without a terminal
 * nothing is cut.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final int NARROWEST = 8;
    /** The width of a dropped column, whose gap is dropped too. */
    private static final int LEFT_OUT = -GAP.length();

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();

    private record Column(String title, boolean number, boolean shortened, boolean spared) {}

    /** A column that is never cut. */
    public Table column(String title) {
        return add(new Column(title, false, false, false));
    }

    /** A column that may be cut on a narrow terminal. */
    public Table textColumn(String title) {
        return add(new Column(title, false, true, false));
    }

    public Table numberColumn(String title) {
        return add(new Column(title, true, false, false));
    }

    /** Lets the last column be cut, or dropped on a narrow terminal. */
    public Table spared() {
        Column last = columns.remove(columns.size() - 1);
        return add(new Column(last.title(), last.number(), last.shortened(), true));
    }

    private Table add(Column column) {
        columns.add(column);
        return this;
    }

    public Table row(Cell... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Hides secrets. Call it before cells are cut, since a part of a secret is still confidential. */
    public Table without(Secrets secrets) {
        rows.replaceAll(row -> row.stream()
                .map(cell -> new Cell(secrets.hide(cell.text()), cell.tone()))
                .toList());
        return this;
    }

    /** Very long cells are cut on every terminal. */
    public String on(Terminal terminal) {
        rows.replaceAll(row -> row.stream()
                .map(cell -> new Cell(Printable.of(cell.text()), cell.tone()))
                .toList());
        int[] widths = naturalWidths();
        shorten(widths, terminal.width());
        for (int at = widths.length - 1; at >= 0 && total(widths) > terminal.width(); at--) {
            if (columns.get(at).spared()) {
                widths[at] = LEFT_OUT;
            }
        }
        return total(widths) <= terminal.width() ? lines(widths, terminal) : blocks(terminal);
    }

    private int[] naturalWidths() {
        int[] widths = new int[columns.size()];
        for (int at = 0; at < widths.length; at++) {
            widths[at] = columns.get(at).title().length();
            for (List<Cell> row : rows) {
                widths[at] = Math.max(widths[at], row.get(at).width());
            }
        }
        return widths;
    }

    /** Shortens the widest column first. */
    private void shorten(int[] widths, int room) {
        while (total(widths) > room) {
            int widest = -1;
            for (int at = 0; at < widths.length; at++) {
                if (columns.get(at).shortened()
                        && widths[at]
                                > Math.max(NARROWEST, columns.get(at).title().length())
                        && (widest < 0 || widths[at] > widths[widest])) {
                    widest = at;
                }
            }
            if (widest < 0) {
                return;
            }
            widths[widest]--;
        }
    }

    private static int total(int[] widths) {
        int total = GAP.length() * (widths.length - 1);
        for (int width : widths) {
            total += width;
        }
        return total;
    }

    private String lines(int[] widths, Terminal terminal) {
        StringBuilder text = new StringBuilder();
        List<Cell> titles = columns.stream()
                .map(column -> new Cell(column.title(), Tone.STRONG))
                .toList();
        line(titles, widths, terminal, text);
        for (List<Cell> row : rows) {
            text.append(System.lineSeparator());
            line(row, widths, terminal, text);
        }
        return text.toString();
    }

    private void line(List<Cell> row, int[] widths, Terminal terminal, StringBuilder text) {
        int last = row.size() - 1;
        for (int at = 0; at <= last; at++) {
            if (widths[at] == LEFT_OUT) {
                continue;
            }
            Cell cell = row.get(at).within(widths[at]);
            String padding = " ".repeat(widths[at] - cell.width());
            boolean right = columns.get(at).number();
            text.append(right ? padding : "").append(terminal.paint(cell));
            if (at < last) {
                text.append(right ? "" : padding).append(GAP);
            }
        }
    }

    private String blocks(Terminal terminal) {
        int titles = columns.stream()
                .mapToInt(column -> column.title().length())
                .max()
                .orElse(0);
        List<String> blocks = new ArrayList<>();
        for (List<Cell> row : rows) {
            List<String> lines = new ArrayList<>();
            for (int at = 0; at < row.size(); at++) {
                String title = columns.get(at).title();
                lines.add(terminal.paint(title, Tone.STRONG)
                        + " ".repeat(titles - title.length())
                        + GAP
                        + terminal.paint(row.get(at).within(terminal.width() - titles - GAP.length())));
            }
            blocks.add(String.join(System.lineSeparator(), lines));
        }
        return String.join(System.lineSeparator() + System.lineSeparator(), blocks);
    }
}
