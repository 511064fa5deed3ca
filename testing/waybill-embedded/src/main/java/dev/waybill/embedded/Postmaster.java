package dev.waybill.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The server process that runs on one of our directories. */
record Postmaster(ProcessHandle process) {
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
        new ServerProcess(process).end("QUIT");
    }

    /** SIGINT is PostgreSQL's fast shutdown. */
    void stop() {
        new ServerProcess(process).end("INT");
    }

    static boolean isRunning(ProcessHandle process) {
        return new ServerProcess(process).isRunning();
    }
}
