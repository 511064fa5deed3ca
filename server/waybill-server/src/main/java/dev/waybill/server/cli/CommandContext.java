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
 * The process that commands run in.
 *
 * @param person reads the answer to a question; empty if there is no terminal
 * @param clock for ages and for times like {@code 2h}
 * @param pause waits; returns false if the command should end
 * @param configuration the default configuration file
 * @param secrets texts that no command may print
 */
record CommandContext(
        Terminal terminal,
        Optional<Supplier<String>> person,
        InstantSource clock,
        Predicate<Duration> pause,
        Optional<String> configuration,
        Secrets secrets) {
    static final String CONFIGURATION = "WAYBILL_CONFIG";

    /** Set by the launcher: whether the standard input is a terminal. */
    private static final String INTERACTIVE = "waybill.interactive";

    static CommandContext ofThisProcess(Secrets secrets) {
        return new CommandContext(
                Terminal.detect(),
                Boolean.getBoolean(INTERACTIVE) ? Optional.of(CommandContext::readLine) : Optional.empty(),
                InstantSource.system(),
                CommandContext::sleep,
                Optional.ofNullable(System.getenv(CONFIGURATION)),
                secrets);
    }

    /** The text without secrets and control characters. */
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
