package dev.waybill.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The server process of a directory. */
record Postmaster(ProcessHandle process) {
    /** @return empty if no process runs there, or if the pid in its file now belongs to another process */
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
            // Missing or still being written: no process runs there.
            return Optional.empty();
        }
    }

    long pid() {
        return process.pid();
    }

    /** The path of pg_ctl. */
    Path binaries() {
        return process.info()
                .command()
                .map(Path::of)
                .map(Path::getParent)
                .orElseThrow(
                        () -> new EmbeddedServerException("The operating system does not report the program of process "
                                + pid() + ", so it cannot be restarted."));
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
