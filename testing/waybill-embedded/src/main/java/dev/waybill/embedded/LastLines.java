package dev.waybill.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines of a process's output, for error messages. Read continuously, because the process would block otherwise. */
final class LastLines {
    private static final int LINES = 20;

    private final Deque<String> lines = new ArrayDeque<>();

    private LastLines() {}

    static LastLines of(Process process) {
        LastLines last = new LastLines();
        Thread reading = new Thread(() -> last.read(process), "waybill-output-of-" + process.pid());
        reading.setDaemon(true);
        reading.start();
        return last;
    }

    private void read(Process process) {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException ended) {
            // The process has ended; its last lines are kept.
        }
    }

    private synchronized void add(String line) {
        lines.addLast(line);
        if (lines.size() > LINES) {
            lines.removeFirst();
        }
    }

    @Override
    public synchronized String toString() {
        return String.join(System.lineSeparator(), lines);
    }
}
