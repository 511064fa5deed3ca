package dev.waybill.bench.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The main loop of a process with one system. It ends with its standard input, so that it never outlives the bench. Replies are
 * {@code ok}, {@code ok} with a value, or {@code failed} with the reason.
 */
public final class SystemProcess {
    private static final Pattern SPACE = Pattern.compile(" ");
    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*\\R\\s*");

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final BenchSystem system;
    private final Endpoints endpoints;

    private SystemProcess(BenchSystem system, Endpoints endpoints) {
        this.system = system;
        this.endpoints = endpoints;
    }

    /** Creates the system; called once. */
    public interface Factory {
        BenchSystem create(Endpoints endpoints) throws Exception;
    }

    /** @param arguments JDBC URL, file with the producer's properties, number of handlers */
    public static void run(String[] arguments, Factory factory) throws IOException {
        PrintStream replies = System.out;
        // Frameworks print to the standard output.
        System.setOut(System.err);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Endpoints endpoints = new Endpoints(arguments[0], Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        try (BenchSystem system = factory.create(endpoints)) {
            replies.println("ok " + oneLine(system.description()));
            SystemProcess process = new SystemProcess(system, endpoints);
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                replies.println(process.reply(command));
            }
        } catch (Exception e) {
            replies.println(failed(e));
        }
        replies.flush();
        end();
    }

    /** Deletes temporary files, of native libraries for example. Threads of a system that did not stop must not keep the process. */
    private static void end() {
        Thread impatient = new Thread(() -> {
            LockSupport.parkNanos(PATIENCE.toNanos());
            Runtime.getRuntime().halt(0);
        });
        impatient.setDaemon(true);
        impatient.start();
        System.exit(0);
    }

    private String reply(String command) {
        try {
            String value = execute(SPACE.split(command));
            return value == null ? "ok" : "ok " + value;
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return failed(e);
        }
    }

    private @Nullable String execute(String[] words) throws Exception {
        switch (words[0]) {
            case "prepare" -> system.prepare(Integer.parseInt(words[1]));
            case "start" -> system.start(words[1]);
            case "stop" -> system.stop();
            case "vary" -> varied().vary(Shape.of(words));
            case "pause" -> pausable().pause();
            case "add" -> pausable().add(Integer.parseInt(words[1]));
            case "resume" -> pausable().resume();
            case "memory" -> {
                return String.valueOf(liveMegabytes());
            }
            case "append" -> {
                return String.valueOf(append(Duration.ofMillis(Long.parseLong(words[1]))));
            }
            case "pace" -> {
                return String.valueOf(new Load(system)
                        .openLoop(
                                Integer.parseInt(words[1]),
                                Integer.parseInt(words[2]),
                                Integer.parseInt(words[3]),
                                Path.of(words[4])));
            }
            default -> throw new IllegalArgumentException("There is no command " + words[0] + ".");
        }
        return null;
    }

    /**
     * An append that stores nothing would be fast.
     *
     * @return transactions a second
     */
    private double append(Duration time) throws Exception {
        Optional<String> outbox = system.outbox();
        long before = outbox.isPresent() ? endpoints.count(outbox.get()) : 0;
        Load.Appended appended = new Load(system).closedLoop(time);
        long stored = outbox.isPresent() ? endpoints.count(outbox.get()) - before : appended.transactions();
        if (stored != appended.transactions()) {
            throw new IllegalStateException(appended.transactions() + " transactions were to append an event each, but "
                    + stored + " events were stored.");
        }
        return appended.perSecond();
    }

    private VariedSystem varied() {
        if (system instanceof VariedSystem varied) {
            return varied;
        }
        throw new UnsupportedOperationException("Its backlog has only one shape: " + system.description());
    }

    private PausableSystem pausable() {
        if (system instanceof PausableSystem pausable) {
            return pausable;
        }
        throw new UnsupportedOperationException("It cannot be paused: " + system.description());
    }

    /** What is used after a collection. */
    private static long liveMegabytes() {
        Runtime.getRuntime().gc();
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
    }

    private static String failed(Throwable reason) {
        return "failed " + oneLine(reason.toString());
    }

    private static String oneLine(String text) {
        return LINE_BREAKS.matcher(text).replaceAll(" ");
    }
}
