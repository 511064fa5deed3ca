package dev.waybill.server.cli;

import dev.waybill.server.secrets.Secrets;
import dev.waybill.server.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands as the launcher does, and keeps what they print. */
final class Cli {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Secrets secrets = new Secrets();
    private Terminal terminal = Terminal.NONE;
    private Optional<Supplier<String>> person = Optional.empty();
    private Predicate<Duration> pause = time -> false;
    private InstantSource clock = InstantSource.system();
    private Optional<String> configuration = Optional.empty();

    Cli on(Terminal newTerminal) {
        terminal = newTerminal;
        return this;
    }

    /** Somebody who answers every question so. */
    Cli answering(String answer) {
        return answering(() -> answer);
    }

    /** Somebody who answers every question after something else has happened. */
    Cli answering(Supplier<String> answer) {
        person = Optional.of(answer);
        return this;
    }

    Cli at(InstantSource newClock) {
        clock = newClock;
        return this;
    }

    Cli knowing(String secret) {
        secrets.add(secret);
        return this;
    }

    /** With this file in the environment variable for the configuration. */
    Cli configured(Path file) {
        configuration = Optional.of(file.toString());
        return this;
    }

    Cli pausing(Predicate<Duration> newPause) {
        pause = newPause;
        return this;
    }

    /** Forgets what was printed before. */
    int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandContext context = new CommandContext(terminal, person, clock, pause, configuration, secrets);
        return WaybillCommand.commandLine(context)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    JsonNode json() {
        return JSON.readTree(out.toString());
    }
}
