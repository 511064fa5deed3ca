package dev.waybill.server.cli;

import dev.waybill.testkit.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command in a process of its own, as the launcher starts it. Everything it prints goes to one file. */
final class ChildCommand implements AutoCloseable {
    private static final long WAITING_SECONDS = 20;
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path output;

    private ChildCommand(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static ChildCommand start(Path output, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = ChildJvm.heap(128).command(WaybillCommand.class, arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new ChildCommand(process, output);
    }

    /** Waits for its end, and ends it when it waits for a server that does not come. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(WAITING_SECONDS, TimeUnit.SECONDS)) {
            process.destroy();
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("It did not end within " + PATIENCE_SECONDS + " s and has said: " + printed());
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String printed() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalStateException("What the process printed cannot be read.", e);
        }
    }

    /** SIGTERM; returns when it has ended. */
    void terminate() throws InterruptedException {
        process.destroy();
        exitCode();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
