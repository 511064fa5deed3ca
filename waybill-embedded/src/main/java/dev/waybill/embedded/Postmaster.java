package dev.waybill.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The server process that runs on one of our directories. */
record Postmaster(ProcessHandle process) {
    private static final long END_SECONDS = 30;

    /** @return nothing when no process runs there, or when the pid in its file has meanwhile become someone else's */
    static Optional<Postmaster> of(ServerDirectory directory) {
        return pidIn(directory.data().resolve("postmaster.pid"))
                .flatMap(ProcessHandle::of)
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(directory.data().toString()))
                        .isPresent())
                .map(Postmaster::new);
    }

    private static Optional<Long> pidIn(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .findFirst()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .map(Long::valueOf);
        } catch (IOException | NumberFormatException e) {
            // Not there, or still being written: nothing runs there yet, or no longer.
            return Optional.empty();
        }
    }

    long pid() {
        return process.pid();
    }

    /** Where pg_ctl lies. */
    Path binaries() {
        return process.info()
                .command()
                .map(Path::of)
                .map(Path::getParent)
                .orElseThrow(() -> new EmbeddedServerException("The system does not tell which program process " + pid()
                        + " runs, so it cannot be restarted."));
    }

    /** SIGQUIT is PostgreSQL's immediate shutdown. */
    void end() {
        Command.of("kill", "-QUIT", String.valueOf(pid())).exitCode();
        if (endsInTime()) {
            return;
        }
        process.destroyForcibly();
        if (!endsInTime()) {
            throw new EmbeddedServerException("PostgreSQL process " + pid() + " did not end within " + 2 * END_SECONDS
                    + " s, not even when killed; end it by hand.");
        }
    }

    /** Waits through interrupts: a server left behind is worse than a late answer. */
    private boolean endsInTime() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (isRunning(process)) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return true;
    }

    /** An ended process that nobody collects, as in a container without an init, is still listed but has no command line. */
    static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().isPresent();
    }
}
