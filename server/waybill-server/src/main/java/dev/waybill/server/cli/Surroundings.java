package dev.waybill.server.cli;

import dev.waybill.server.secrets.Secrets;
import dev.waybill.server.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Where commands run.
 *
 * @param person gives the answer to a question; nothing when there is nobody to ask
 * @param clock for ages and for times like {@code 2h}
 * @param pause waits; false when it is time to end instead
 * @param configuration the file to use when none is named
 * @param secrets what no command may show
 */
record Surroundings(
        Terminal terminal,
        Optional<Supplier<String>> person,
        InstantSource clock,
        Predicate<Duration> pause,
        Optional<String> configuration,
        Secrets secrets) {
    static final String CONFIGURATION = "WAYBILL_CONFIG";

    /** Set by the launcher: whether the standard input is a terminal. */
    private static final String INTERACTIVE = "waybill.interactive";

    static Surroundings ofThisProcess(Secrets secrets) {
        return new Surroundings(
                Terminal.detect(),
                Boolean.getBoolean(INTERACTIVE) ? Optional.of(Surroundings::readLine) : Optional.empty(),
                InstantSource.system(),
                Surroundings::sleep,
                Optional.ofNullable(System.getenv(CONFIGURATION)),
                secrets);
    }

    /** A text as it goes to the terminal, whoever wrote it: without secrets, and nothing to obey. */
    String shown(String text) {
        return terminal.harmless(secrets.hide(text));
    }

    private static String readLine() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException("The answer cannot be read.", e);
        }
    }

    private static boolean sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
