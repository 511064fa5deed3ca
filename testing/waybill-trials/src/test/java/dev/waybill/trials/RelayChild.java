package dev.waybill.trials;

import dev.waybill.testkit.Await;
import dev.waybill.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A relay process, started and ended by a trial. Its output goes to a file. */
final class RelayChild implements AutoCloseable {
    private static final Path LOGS = Path.of("target", "trials");

    private final String name;
    private final Process process;
    private final Path log;

    private RelayChild(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    static RelayChild start(String name, RelaySettings settings) throws IOException {
        return start(name, RelayProcess.class, settings.arguments());
    }

    static RelayChild start(String name, TableRelaySettings settings) throws IOException {
        return start(name, TableRelayProcess.class, settings.arguments());
    }

    /** Starts the server process with an environment variable. */
    static RelayChild startServer(String name, Map<String, String> environment, List<String> arguments)
            throws IOException {
        return start(name, ServerProcess.class, environment, arguments);
    }

    static RelayChild start(String name, Class<?> main, List<String> arguments) throws IOException {
        return start(name, main, Map.of(), arguments);
    }

    /** Starts the process with a small heap; it exits when it runs out of memory. */
    static RelayChild start(String name, Class<?> main, Map<String, String> environment, List<String> arguments)
            throws IOException {
        Files.createDirectories(LOGS);
        Path log = LOGS.resolve(name + ".log");
        Files.deleteIfExists(log);
        List<String> command = ChildJvm.heap(256)
                .option("-XX:+ExitOnOutOfMemoryError")
                .option("-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider")
                .option("-Dorg.slf4j.simpleLogger.defaultLogLevel=error")
                .option("-Dorg.slf4j.simpleLogger.log.dev.waybill=info")
                .option("-Dorg.slf4j.simpleLogger.showDateTime=true")
                .option("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS")
                .command(main, arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new RelayChild(name, builder.start(), log);
    }

    long pid() {
        return process.pid();
    }

    String name() {
        return name;
    }

    /** Whether this process is the owner of the lease. */
    boolean owns(String owner) {
        return owner.startsWith("pid " + process.pid() + "/");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when the process has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends only SIGTERM: destroying the process would also close its input, as if the parent had ended. */
    void terminate() {
        process.toHandle().destroy();
    }

    boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    int exitCode() {
        return process.exitValue();
    }

    /** SIGSTOP: suspends the process until SIGCONT. */
    void freeze() throws Exception {
        signal("-STOP");
    }

    /** SIGCONT. */
    void thaw() throws Exception {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill " + signal + " ended with " + exit + ".");
        }
    }

    boolean says(String words) {
        return !linesWith(words).isEmpty();
    }

    List<String> linesWith(String words) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(words)).toList();
        } catch (IOException e) {
            throw new IllegalStateException("The log of " + name + " cannot be read.", e);
        }
    }

    /** @param any it must log one of these */
    void awaitWords(String... any) throws Exception {
        Await.until(name + " to say one of " + List.of(any), () -> {
            if (Stream.of(any).anyMatch(this::says)) {
                return true;
            }
            if (!isAlive()) {
                throw new AssertionError(name + " ended with " + process.exitValue() + ": " + linesWith(""));
            }
            return false;
        });
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
