package dev.waybill.example.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** The numbers that the example shows while it runs. A number that cannot be read just now stays as it was. */
public final class Picture {
    private static final int BAR = 30;

    private final List<Row> rows = new ArrayList<>();
    private long lastAt = System.nanoTime();

    /** One number, and what it should become. */
    private static final class Row {
        private final String label;
        private final Callable<? extends Number> reading;
        private final long goal;
        private long value;
        private double rate;

        Row(String label, Callable<? extends Number> reading, long goal) {
            this.label = label;
            this.reading = reading;
            this.goal = goal;
        }

        void read(double seconds) {
            try {
                long next = reading.call().longValue();
                rate = (next - value) / seconds;
                value = next;
            } catch (Exception e) {
                // Its server was just killed.
                rate = 0;
            }
        }
    }

    Picture() {}

    /** A number without an end. */
    public Picture number(String label, Callable<? extends Number> reading) {
        return progress(label, reading, 0);
    }

    /** @param goal the number at the end; shown as a bar */
    public synchronized Picture progress(String label, Callable<? extends Number> reading, long goal) {
        rows.add(new Row(label, reading, goal));
        return this;
    }

    synchronized List<Long> values() {
        return rows.stream().map(row -> row.value).toList();
    }

    synchronized void read() {
        long now = System.nanoTime();
        double seconds = Math.max(1e-3, (now - lastAt) / 1e9);
        lastAt = now;
        rows.forEach(row -> row.read(seconds));
    }

    /** One line for each number, for a terminal. */
    synchronized List<String> lines() {
        int width = rows.stream().mapToInt(row -> row.label.length()).max().orElse(0);
        return rows.stream()
                .map(row -> String.format(
                        Locale.ROOT,
                        "  %-" + width + "s %,9d %,8.0f/s  %s",
                        row.label,
                        row.value,
                        Math.max(0, row.rate),
                        bar(row)))
                .toList();
    }

    /** All numbers in one line, for a file. */
    synchronized String line() {
        return String.join(
                "  ",
                rows.stream()
                        .map(row -> String.format(Locale.ROOT, "%s %,d", row.label, row.value)
                                + (row.goal > 0 ? String.format(Locale.ROOT, " of %,d", row.goal) : ""))
                        .toList());
    }

    private static String bar(Row row) {
        if (row.goal <= 0) {
            return "";
        }
        double share = Math.min(1, (double) row.value / row.goal);
        int full = (int) Math.round(BAR * share);
        return String.format(Locale.ROOT, "[%s%s] %3.0f %%", "█".repeat(full), "·".repeat(BAR - full), 100 * share);
    }
}
