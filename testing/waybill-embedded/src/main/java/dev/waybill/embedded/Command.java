package dev.waybill.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs a program to its end. */
record Command(List<String> words, Redirect output) {
    static Command of(String... words) {
        return new Command(List.of(words), Redirect.DISCARD);
    }

    Command writingTo(Path file) {
        return new Command(words, Redirect.appendTo(file.toFile()));
    }

    /** Runs it in its own user namespace, because PostgreSQL refuses to run as root. */
    Command asNobody() {
        return new Command(
                Stream.concat(Stream.of("unshare", "-U"), words.stream()).toList(), output);
    }

    int exitCode() {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start();
            // Waits through interrupts, so that no half-started server remains.
            return process.onExit().join().exitValue();
        } catch (IOException e) {
            throw new EmbeddedServerException(
                    "The program " + words.get(0) + " could not be run: " + e.getMessage(), e);
        }
    }
}
