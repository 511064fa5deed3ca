package dev.waybill.server.cli;

import dev.waybill.server.logs.JsonLine;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.spi.Printable;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The one way from a command to a terminal. Texts lose their secrets, and nothing is obeyed. What is only ours, such as SQL, keeps
 * every word: a password that happens to be one of them would make it useless, and the hole would tell the password.
 */
record Printer(PrintWriter to, CommandContext context) {
    /** For the answer. */
    static Printer out(CommandSpec command) {
        return new Printer(command.commandLine().getOut(), WaybillCommand.contextOf(command));
    }

    /** For what stands beside the answer. */
    static Printer err(CommandSpec command) {
        return new Printer(command.commandLine().getErr(), WaybillCommand.contextOf(command));
    }

    void line(String text) {
        print(context.shown(text));
    }

    /** Its titles are ours, what is in its cells may be anybody's. */
    void table(Table table) {
        Terminal terminal = context.terminal();
        print(terminal.harmless(table.without(context.secrets()).on(terminal)));
    }

    /** Its names and numbers are ours, its texts may be anybody's. */
    void json(Object value) {
        print(JsonLine.of(value, context.secrets()));
    }

    /** A script or a page of ours, in which nothing is somebody else's but names that were asked for. */
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
