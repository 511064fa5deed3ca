package dev.waybill.server;

import dev.waybill.server.config.ConfigurationException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill}: what an operator does from a terminal. */
@Command(
        name = "waybill",
        description = "The transactional outbox: look into it and set it up.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, ConfigCommand.class, InitCommand.class, StatusCommand.class})
public final class WaybillCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new WaybillCommand())
                .setExecutionExceptionHandler(WaybillCommand::explain)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
    }

    /** A message, not a stack trace: messages say what to do. */
    private static int explain(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
        PrintWriter err = command.getErr();
        err.println("waybill: " + e.getMessage());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && !String.valueOf(e.getMessage()).contains(cause.getMessage())) {
                err.println("  because: " + cause.getMessage());
            }
        }
        return e instanceof ConfigurationException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }
}
