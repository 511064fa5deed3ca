package dev.waybill.server.cli;

import dev.waybill.server.access.PasswordHash;
import dev.waybill.server.access.TokenHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code waybill password}. */
final class PasswordCommand {
    private static final int SHORTEST = 8;

    private PasswordCommand() {}

    @Command(
            name = "password",
            mixinStandardHelpOptions = true,
            description = {
                "Hashes a password for server.users in the configuration. Reads it from the terminal"
                        + " without echo, or from one line of standard input.",
                "With --token: generates a random bearer token and its hash for server.tokens. The token"
                        + " is shown only once."
            })
    static int password(
            @Mixin Console console,
            @Option(names = "--token", description = "generate a token instead") boolean token) {
        if (token) {
            String made = TokenHash.newToken();
            console.out().line("token: " + made);
            console.out().line("hash:  " + TokenHash.make(made).text());
            return ExitCode.OK.number();
        }
        String password = read(console);
        if (password.length() < SHORTEST) {
            throw CommandEndedException.usage(
                    "The password has " + password.length() + " characters: use at least " + SHORTEST + ".");
        }
        console.out().line(PasswordHash.make(password).text());
        return ExitCode.OK.number();
    }

    private static String read(Console console) {
        Optional<java.io.Console> terminal =
                console.context().person().flatMap(person -> Optional.ofNullable(System.console()));
        if (terminal.isPresent()) {
            char[] typed = terminal.get().readPassword("Password: ");
            return typed == null ? "" : new String(typed);
        }
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException("The password cannot be read.", e);
        }
    }
}
