package dev.waybill.example.kit;

import dev.waybill.embedded.AtExit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of the example, ended by its pid. Everything it prints is in its log file, whose end is shown if it fails.
 *
 * <p>Safe for use by many threads.
 */
public final class Child implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(30);
    private static final int SHOWN_LINES = 15;

    private final Program program;
    private final Path log;
    private final AtExit killAtExit;
    private Process process;
    /** Length of the log when the current process was started. */
    private long begun;

    private boolean endWanted;
    private int kills;

    private Child(Program program, Path log) throws IOException {
        this.program = program;
        this.log = log;
        this.process = launch();
        this.killAtExit = AtExit.run(this::close);
    }

    /** Starts it, and returns at once. */
    static Child launch(Program program, Path folder) throws IOException {
        Files.createDirectories(folder);
        return new Child(program, folder.resolve(program.name() + ".log"));
    }

    private Process launch() throws IOException {
        begun = Files.exists(log) ? Files.size(log) : 0;
        ProcessBuilder builder = new ProcessBuilder(program.words())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        program.directory().ifPresent(folder -> builder.directory(folder.toFile()));
        builder.environment().putAll(program.environment());
        return builder.start();
    }

    public String name() {
        return program.name();
    }

    public Path log() {
        return log;
    }

    public synchronized long pid() {
        return process.pid();
    }

    public synchronized boolean isRunning() {
        return process.isAlive();
    }

    /** How often it was killed. */
    public synchronized int kills() {
        return kills;
    }

    /** Whether it ended although nobody ended it. */
    synchronized boolean endedByItself() {
        return !endWanted && !process.isAlive();
    }

    /**
     * Returns when it says that it is ready.
     *
     * @throws IllegalStateException if it ends before, or does not say so in time
     */
    public void awaitReady() {
        long deadline = System.nanoTime() + START.toNanos();
        while (!says(program.ready())) {
            if (!isRunning() || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        name() + (isRunning() ? " is not ready after " + START.toSeconds() + " s" : " ended") + ". "
                                + endOfLog());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Whether the process that runs now has printed the text. */
    public boolean says(String text) {
        return text.isEmpty() || sinceStart().contains(text);
    }

    /** What the process that was started last has printed. */
    public String sinceStart() {
        try {
            byte[] all = Files.readAllBytes(log);
            int from = (int) Math.min(begunAt(), all.length);
            return new String(all, from, all.length - from, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The log " + log + " cannot be read.", e);
        }
    }

    private synchronized long begunAt() {
        return begun;
    }

    /** Everything that was printed by all processes of this name, line by line. */
    public List<String> lines() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The log " + log + " cannot be read.", e);
        }
    }

    /** SIGKILL; returns when it has ended. */
    public synchronized void kill() {
        endWanted = true;
        if (process.isAlive()) {
            kills++;
        }
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Starts it again after it has ended; returns when it is ready. */
    public void restart() {
        synchronized (this) {
            try {
                process = launch();
                endWanted = false;
            } catch (IOException e) {
                throw new UncheckedIOException(name() + " cannot be started again.", e);
            }
        }
        awaitReady();
    }

    /** SIGTERM; returns when it has ended. The handle leaves its input open, whose end would end it at once. */
    public synchronized void stop() {
        endWanted = true;
        process.toHandle().destroy();
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        process.onExit().join();
    }

    /** For a program that ends by itself. */
    int awaitEnd() throws InterruptedException {
        Process running;
        synchronized (this) {
            endWanted = true;
            running = process;
        }
        return running.waitFor();
    }

    /** The last lines of its log, for a message. */
    public String endOfLog() {
        List<String> all = lines();
        List<String> last = all.subList(Math.max(0, all.size() - SHOWN_LINES), all.size());
        return "The last lines of " + log + ":" + System.lineSeparator() + String.join(System.lineSeparator(), last);
    }

    /** Kills it; returns when it has ended. */
    @Override
    public synchronized void close() {
        endWanted = true;
        process.destroyForcibly();
        process.onExit().join();
        killAtExit.cancel();
    }
}
