package dev.waybill.testkit.guide;

import dev.waybill.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A bash that runs one block of commands after the other, as if somebody typed them: variables and background jobs stay. */
final class Terminal implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int GRACE_SECONDS = 30;

    /**
     * Runs the file of commands N. The codes of failed commands are written when it has ended; a command that may fail, such as
     * the condition of an if, is not among them.
     */
    private static final String RUN = """
            codes=(); trap 'codes+=($?)' ERR
            source "$terminal/%1$d.sh" </dev/null >"$terminal/%1$d.out" 2>&1
            trap - ERR; echo "${codes[@]}" >"$terminal/%1$d.tmp"; mv "$terminal/%1$d.tmp" "$terminal/%1$d.codes"
            """;

    private final Path notes;
    private final Process bash;
    private final Writer input;
    private int blocks;

    /**
     * @param output both streams together
     * @param exitCodes of the commands that failed
     */
    record Answer(String output, List<Integer> exitCodes) {}

    private Terminal(Path notes, Process bash) {
        this.notes = notes;
        this.bash = bash;
        this.input = bash.outputWriter(StandardCharsets.UTF_8);
    }

    static Terminal open(Path folder, Map<String, String> environment) throws IOException {
        Path notes = Files.createTempDirectory("waybill-terminal");
        ProcessBuilder builder = new ProcessBuilder("bash", "--noprofile", "--norc")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(notes.resolve("bash.log").toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Terminal terminal = new Terminal(notes, builder.start());
        terminal.write("terminal='" + notes + "'\n");
        return terminal;
    }

    Answer run(String commands) {
        int block = ++blocks;
        try {
            // Without the last line, the code of the last command would be that of source too.
            Files.writeString(notes.resolve(block + ".sh"), commands + "\ntrue\n");
            write(RUN.formatted(block));
            Path codes = notes.resolve(block + ".codes");
            Await.until("the end of the commands\n" + commands, LONGEST, () -> Files.exists(codes) || !bash.isAlive());
            if (!bash.isAlive()) {
                throw new AssertionError("The commands ended their shell:\n" + commands);
            }
            return new Answer(
                    Files.readString(notes.resolve(block + ".out")),
                    Files.readString(codes)
                            .lines()
                            .flatMap(line -> List.of(line.split(" ")).stream())
                            .filter(code -> !code.isEmpty())
                            .map(Integer::valueOf)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + commands, e);
        }
    }

    private void write(String text) throws IOException {
        input.write(text);
        input.flush();
    }

    /** Ends bash and everything that it started and that still runs. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> processes = bash.descendants().toList();
        bash.destroyForcibly();
        processes.forEach(ProcessHandle::destroy);
        processes.forEach(Terminal::awaitEnd);
        deleteNotes();
    }

    private static void awaitEnd(ProcessHandle process) {
        CompletableFuture<ProcessHandle> end =
                process.onExit().completeOnTimeout(process, GRACE_SECONDS, TimeUnit.SECONDS);
        if (end.join().isAlive()) {
            process.destroyForcibly();
        }
    }

    private void deleteNotes() throws IOException {
        try (var files = Files.list(notes)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(notes);
    }
}
