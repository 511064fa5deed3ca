package dev.waybill.server.cli;

import dev.waybill.server.logs.JsonLine;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.spi.Printable;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints to the terminal, without secrets and control characters. Our own texts, such as SQL, are printed unchanged: hiding a word
 * that happens to be a password would break them, and reveal the password.
 */
record Printer(PrintWriter to, CommandContext context) {
    /** For the answer. */
    static Printer out(CommandSpec command) {
        return new Printer(command.commandLine().getOut(), WaybillCommand.contextOf(command));
    }

    /** For remarks and questions. */
    static Printer err(CommandSpec command) {
        return new Printer(command.commandLine().getErr(), WaybillCommand.contextOf(command));
    }

    void line(String text) {
        print(context.shown(text));
    }

    /** Hides secrets in cells, not in titles. */
    void table(Table table) {
        Terminal terminal = context.terminal();
        print(terminal.harmless(table.without(context.secrets()).on(terminal)));
    }

    /** Hides secrets in strings, not in names and numbers. */
    void json(Object value) {
        print(JsonLine.of(value, context.secrets()));
    }

    /** Prints a script or a page of our own unchanged, but for control characters. */
    void script(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        text.codePoints()
                .map(character ->
                        character != '\n' && character != '\t' && Printable.isObeyed(character) ? '\uFFFD' : character)
                .forEach(harmless::appendCodePoint);
        print(harmless.toString());
    }

    private void print(String text) {
        to.println(text);
        to.flush();
    }
}
