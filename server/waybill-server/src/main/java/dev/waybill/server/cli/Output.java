package dev.waybill.server.cli;

import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.server.terminal.Tone;
import dev.waybill.server.terminal.Wrapping;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Prints the answer of a command: tables and sentences for people, JSON for programs. */
final class Output extends Console {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    boolean isJson() {
        return json;
    }

    Terminal terminal() {
        return context().terminal();
    }

    void print(Table table) {
        out().table(table);
    }

    void line(String text) {
        out().line(text);
    }

    /** Prints a name and its value. */
    void property(String name, String value) {
        line(terminal().paint(String.format(Locale.ROOT, "%-11s", name), Tone.STRONG) + Cell.harmless(value));
    }

    /** Clears the terminal. */
    void clear() {
        spec().commandLine().getOut().print(CLEAR);
    }

    /** Wraps a sentence to the terminal's width. Secrets are hidden first: a line break may split one. */
    void sentence(String text) {
        Wrapping.wrap(context().secrets().hide(text), terminal().width()).forEach(this::line);
    }

    void json(Object value) {
        out().json(value);
    }

    /**
     * Prints the result of a command, in the form that was asked for.
     *
     * @return the exit code
     */
    int done(String sentence, Object value) {
        if (json) {
            json(value);
        } else {
            line(sentence);
        }
        return ExitCode.OK.number();
    }

    /**
     * Prints a list, in the form that was asked for.
     *
     * @param none the sentence for an empty list
     * @return the exit code
     */
    <T> int list(List<T> all, Function<T, Object> asJson, String none, Function<List<T>, Table> asTable) {
        if (json) {
            json(all.stream().map(asJson).toList());
        } else if (all.isEmpty()) {
            line(none);
        } else {
            print(asTable.apply(all));
        }
        return ExitCode.OK.number();
    }

    /** Prints a remark beside the answer. */
    void aside(String text) {
        err().line(text);
    }
}
