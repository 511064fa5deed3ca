package dev.waybill.server.cli;

import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.server.terminal.Wrapping;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command answers: tables and sentences for people, JSON for programs. */
final class Output {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Option(names = "--json", description = "answer with JSON, for programs")
    private boolean json;

    boolean isJson() {
        return json;
    }

    Surroundings surroundings() {
        return WaybillCommand.surroundingsOf(spec);
    }

    Terminal terminal() {
        return surroundings().terminal();
    }

    void print(Table table) {
        Printer.out(spec).table(table);
    }

    void line(String text) {
        Printer.out(spec).line(text);
    }

    /** The terminal shows nothing but what follows. */
    void clear() {
        spec.commandLine().getOut().print(CLEAR);
    }

    /** A sentence in lines of the terminal's width. Secrets go before it is broken: half of one is still one. */
    void sentence(String text) {
        Wrapping.wrap(surroundings().secrets().hide(text), terminal().width()).forEach(this::line);
    }

    void json(Object value) {
        Printer.out(spec).json(value);
    }

    /** One thing done, in both forms. */
    void done(String sentence, Object value) {
        if (json) {
            json(value);
        } else {
            line(sentence);
        }
    }

    /** Beside the answer: it must not get into what a program reads. */
    void aside(String text) {
        Printer.err(spec).line(text);
    }
}
