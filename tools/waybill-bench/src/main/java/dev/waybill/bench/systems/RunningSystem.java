package dev.waybill.bench.systems;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process of a measured system. What it prints beside its replies goes to a file. */
final class RunningSystem implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    /** A system that has not replied by then hangs: the largest backlog is written in less. */
    private static final Duration LONGEST_COMMAND = Duration.ofMinutes(8);

    private final SystemSpec spec;
    private final Process process;
    private final BufferedWriter commands;
    private final BlockingQueue<Optional<String>> replies = new LinkedBlockingQueue<>();
    private final String description;

    private RunningSystem(SystemSpec spec, Process process) throws SystemFailedException {
        this.spec = spec;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reading = new Thread(this::read, "replies of " + spec.name());
        reading.setDaemon(true);
        reading.start();
        this.description = reply();
    }

    /** An empty reply is the last: the process has ended. */
    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> replies.add(Optional.of(line)));
        } catch (IOException | UncheckedIOException e) {
            // The end of the process closes the stream.
        }
        replies.add(Optional.empty());
    }

    /** For what it prints beside its replies. */
    static Path log(SystemSpec spec, Stage stage) {
        return stage.folder().resolve(spec.name().replaceAll("[^A-Za-z0-9]+", "-") + ".log");
    }

    static RunningSystem start(SystemSpec spec, Stage stage) throws SystemFailedException {
        List<String> command = new ArrayList<>(spec.command());
        command.add(stage.jdbcUrl());
        command.add(stage.producerProperties().toString());
        command.add(String.valueOf(stage.handlers()));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(log(spec, stage).toFile()))
                    .start();
        } catch (IOException e) {
            throw new SystemFailedException(spec.name() + ": its process did not start: " + e.getMessage(), e);
        }
        try {
            return new RunningSystem(spec, process);
        } catch (SystemFailedException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    String name() {
        return spec.name();
    }

    SystemSpec spec() {
        return spec;
    }

    long pid() {
        return process.pid();
    }

    /** So that nobody waits for what a process that has ended would do. */
    void requireAlive() throws SystemFailedException {
        if (!process.isAlive()) {
            throw ended(null);
        }
    }

    /** Without its process, whoever ended that. */
    private SystemFailedException ended(@Nullable Throwable cause) {
        Ending.endWithTheRun();
        return new SystemFailedException(spec.name() + ": its process has ended.", cause);
    }

    /** Its settings, in its own words. */
    String description() {
        return description;
    }

    /** @return the value of the reply; empty if it has none */
    String tell(String command) throws SystemFailedException {
        try {
            commands.write(command);
            commands.newLine();
            commands.flush();
        } catch (IOException e) {
            throw ended(e);
        }
        return reply();
    }

    private String reply() throws SystemFailedException {
        @Nullable String line;
        try {
            Optional<String> next = replies.poll(LONGEST_COMMAND.toSeconds(), TimeUnit.SECONDS);
            if (next == null) {
                throw new SystemFailedException(
                        spec.name() + ": no reply for " + LONGEST_COMMAND.toSeconds() + " s.", null);
            }
            line = next.orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SystemFailedException(spec.name() + ": interrupted while it worked.", e);
        }
        if (line == null) {
            throw ended(null);
        }
        if (line.equals("ok")) {
            return "";
        }
        if (line.startsWith("ok ")) {
            return line.substring(3);
        }
        throw new SystemFailedException(spec.name() + ": " + line, null);
    }

    /** Its process ends with its standard input. */
    @Override
    public void close() {
        try {
            commands.close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            // The process has closed its end, or is about to.
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
