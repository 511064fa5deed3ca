package dev.waybill.example.kit;

import dev.waybill.embedded.AtExit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of an example: its processes and servers, what it shows, and its closing balance. */
public final class ExampleRun {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration CLOSE = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long begun = System.nanoTime();
    private final ExampleOptions options;
    private final Path folder;
    private final FolderLock folderLock;
    private final Random random;
    private final Balance balance = new Balance();
    private final Picture picture = new Picture();
    private final List<Child> children = new CopyOnWriteArrayList<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Screen screen;
    private final Chaos chaos;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private AtExit stopAtExit;

    /** Something that is waited for. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** @throws IllegalStateException if its folder cannot be used */
    ExampleRun(String name, ExampleOptions options) {
        this.options = options;
        this.random = new Random(options.seed());
        this.folder = Path.of(System.getenv().getOrDefault("WAYBILL_EXAMPLE_FOLDER", "target/example"))
                .toAbsolutePath();
        this.folderLock = FolderLock.of(folder);
        empty();
        this.screen = new Screen(name, picture, this::processes);
        this.chaos = new Chaos(options, this::say);
        this.stopAtExit = AtExit.run(this::stopAndAwaitClosed);
        say(String.format(
                Locale.ROOT,
                "%,d events%s, seed %d; logs are in %s",
                options.events(),
                options.chaos() ? ", processes are killed" : "",
                options.seed(),
                folder));
    }

    private void empty() {
        try {
            if (Files.exists(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The folder " + folder + " cannot be emptied (" + e + "). Is it another user's? Set"
                            + " WAYBILL_EXAMPLE_FOLDER to a folder of your own.",
                    e);
        }
    }

    public ExampleOptions options() {
        return options;
    }

    /** Seeded by the options. Not for several threads. */
    public Random random() {
        return random;
    }

    /** For logs and other files of this run. Empty at the start. */
    public Path folder() {
        return folder;
    }

    /** Copies a file of the example from its class path into the folder. */
    public Path file(String resource) throws IOException {
        try (InputStream content = ExampleRun.class.getResourceAsStream("/" + resource)) {
            if (content == null) {
                throw new IllegalStateException("The class path of this example has no " + resource + ".");
            }
            Path file = folder.resolve(resource);
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        }
    }

    public Picture picture() {
        return picture;
    }

    public Balance balance() {
        return balance;
    }

    public Chaos chaos() {
        return chaos;
    }

    /** Prints a line that stays. */
    public void say(String what) {
        screen.say(what);
    }

    /** Closes the resource at the end of the run, the latest first. */
    public <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        // What was started last ends first, and this must end before all servers.
        stopAtExit.cancel();
        stopAtExit = AtExit.run(this::stopAndAwaitClosed);
        return resource;
    }

    /** Starts a process of the example without waiting until it is ready. */
    public Child launch(Program program) throws IOException {
        Child child = closing(Child.launch(program, folder));
        children.add(child);
        return child;
    }

    /** Starts a process of the example; returns when it is ready. */
    public Child start(Program program) throws IOException {
        Child child = launch(program);
        child.awaitReady();
        return child;
    }

    /**
     * Runs a program to its end.
     *
     * @return what it printed
     * @throws IllegalStateException if it fails
     */
    public String execute(Program program) throws IOException, InterruptedException {
        try (Child child = Child.launch(program, folder)) {
            int exitCode = child.awaitEnd();
            if (exitCode != 0) {
                throw new IllegalStateException(program.name() + " ended with " + exitCode + ". " + child.endOfLog());
            }
            return child.sinceStart();
        }
    }

    /**
     * Draws the picture until the condition holds.
     *
     * @throws IllegalStateException if a process ends by itself, or if no number of the picture changes for three minutes
     */
    public void until(String what, Condition condition) throws Exception {
        List<Long> before = picture.values();
        long changed = System.nanoTime();
        while (!condition.holds()) {
            checkProcesses();
            screen.drawIfDue();
            List<Long> now = picture.values();
            if (!now.equals(before)) {
                before = now;
                changed = System.nanoTime();
            } else if (System.nanoTime() - changed > PATIENCE.toNanos()) {
                throw new IllegalStateException("Nothing has changed for " + PATIENCE.toSeconds()
                        + " s while waiting until " + what + ": " + picture.line() + ".");
            }
            if (stopAsked.await(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
                throw new StoppedException();
            }
        }
    }

    /** Draws the picture if it is due, for a driver that is at work and waits for nothing. */
    public void draw() {
        if (stopAsked.getCount() == 0) {
            throw new StoppedException();
        }
        checkProcesses();
        screen.drawIfDue();
    }

    private void checkProcesses() {
        for (Child child : children) {
            if (child.endedByItself()) {
                // Ctrl-C in a terminal reaches every process at once.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                if (stopAsked.getCount() == 0) {
                    throw new StoppedException();
                }
                throw new IllegalStateException(child.name() + " ended by itself. " + child.endOfLog());
            }
        }
    }

    private String processes() {
        return children.stream()
                .map(child -> child.name()
                        + (child.isRunning() ? " up" : " DOWN")
                        + (child.kills() > 0 ? " (killed " + child.kills() + ")" : ""))
                .collect(Collectors.joining(" · "));
    }

    /** Prints the balance, and stays until Ctrl-C unless the run should exit. */
    int finish() throws InterruptedException {
        screen.drawLast();
        screen.print(balance.lines());
        boolean good = balance.isGood();
        long wrong = balance.rows().stream().filter(row -> !row.ok()).count();
        say(String.format(
                Locale.ROOT,
                "%s; %d of %d rows differ; seed %d, %.1f s",
                good ? "balanced" : "NOT BALANCED",
                wrong,
                balance.rows().size(),
                options.seed(),
                (System.nanoTime() - begun) / 1e9));
        if (!options.exit()) {
            say("everything still runs, to be looked at; Ctrl-C ends it");
            stopAsked.await();
        }
        return good ? 0 : 1;
    }

    void failed(Exception e) {
        screen.drawLast();
        say("FAILED with seed " + options.seed() + ": " + e);
    }

    void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                say("closing failed: " + e.getMessage());
            }
        }
        try {
            folderLock.close();
        } catch (IOException e) {
            say("closing failed: " + e.getMessage());
        }
        stopAtExit.cancel();
        closed.countDown();
    }

    private void stopAndAwaitClosed() {
        stopAsked.countDown();
        try {
            if (!closed.await(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("waybill example: not everything ended within " + CLOSE.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
