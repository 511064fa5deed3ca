package dev.waybill.example.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The terminal: a picture that is redrawn below the lines already said; without a terminal, a line every two seconds. */
final class Screen {
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final String CLEAR = "\033[K";

    /** From the launcher, since the JVM reports it differently from version to version. */
    private final boolean terminal = Boolean.getBoolean("waybill.terminal");

    private final int columns = Integer.getInteger("waybill.columns", 0);
    private final String name;
    private final Picture picture;
    private final Supplier<String> processes;
    private int drawn;
    private long next;
    private String before = "";

    /**
     * @param processes the line about the processes
     */
    Screen(String name, Picture picture, Supplier<String> processes) {
        this.name = name;
        this.picture = picture;
        this.processes = processes;
    }

    /** A line that stays. */
    synchronized void say(String what) {
        print(List.of(name + ": " + what));
    }

    synchronized void print(List<String> lines) {
        StringBuilder text = new StringBuilder(up());
        lines.forEach(line -> text.append(clear()).append(line).append('\n'));
        drawn = 0;
        if (terminal && !before.isEmpty()) {
            // What remains of the picture; it is drawn again below.
            text.append("\033[J");
        }
        out(text.toString());
        next = terminal ? System.nanoTime() : next;
    }

    synchronized void drawIfDue() {
        if (System.nanoTime() - next >= 0) {
            picture.read();
            draw();
            next = System.nanoTime() + (terminal ? REDRAW_NANOS : LINE_NANOS);
        }
    }

    synchronized void drawLast() {
        picture.read();
        draw();
        drawn = 0;
        before = "";
    }

    private void draw() {
        if (!terminal) {
            String line = picture.line();
            if (!line.equals(before)) {
                out(line + "\n");
                before = line;
            }
            return;
        }
        List<String> lines = new ArrayList<>(picture.lines());
        lines.add("  " + processes.get());
        StringBuilder text = new StringBuilder(up());
        lines.forEach(line -> text.append(clear()).append(cut(line)).append('\n'));
        drawn = lines.size();
        before = "drawn";
        out(text.toString());
    }

    private String up() {
        return terminal && drawn > 0 ? "\033[" + drawn + "A" : "";
    }

    private String clear() {
        return terminal ? CLEAR : "";
    }

    /** A line that wraps would not be drawn over. */
    private String cut(String line) {
        return columns > 1 && line.length() >= columns ? line.substring(0, columns - 2) + "…" : line;
    }

    private static void out(String text) {
        System.out.print(text);
        System.out.flush();
    }
}
