package dev.waybill.server.cli;

import dev.waybill.server.config.ConfigurationException;
import dev.waybill.server.logs.LogSetup;
import dev.waybill.server.secrets.ScrubbedOutput;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.TlsFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill}: what an operator does from a terminal. */
@Command(
        name = "waybill",
        description = "The transactional outbox: look into it, mend it and set it up.",
        mixinStandardHelpOptions = true,
        subcommands = {
            RunCommand.class,
            ConfigCommand.class,
            InitCommand.class,
            StatusCommand.class,
            EventsCommand.class,
            ShowCommand.class,
            RequeueCommand.class,
            DiscardCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            ReplayCommand.class,
            RelayCommand.class,
            PurgeCommand.class,
            AdoptCommand.class,
            DeadLettersCommand.class,
            AuditCommand.class,
            DoctorCommand.class,
            CompletionCommand.class
        })
public final class WaybillCommand implements Runnable {
    private final Surroundings surroundings;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    private WaybillCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    public static void main(String[] arguments) {
        Secrets secrets = Secrets.ofThisProcess();
        secrets.addAll(SecretArguments.in(arguments));
        LogSetup.hide(secrets);
        ScrubbedOutput.Terminals own = ScrubbedOutput.install(secrets);
        System.exit(commandLine(Surroundings.ofThisProcess(secrets))
                .setOut(own.out())
                .setErr(own.err())
                .execute(arguments));
    }

    static CommandLine commandLine() {
        return commandLine(Surroundings.ofThisProcess(new Secrets()));
    }

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new WaybillCommand(surroundings))
                .setExecutionExceptionHandler(WaybillCommand::explain)
                .setParameterExceptionHandler(WaybillCommand::misused)
                // What is in a file named on the command line could be a secret that nobody knows of.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    static Surroundings surroundingsOf(CommandSpec command) {
        return ((WaybillCommand) command.root().userObject()).surroundings;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
    }

    /** A message, not a stack trace: messages say what to do. */
    private static int explain(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
        Consumer<String> line = Printer.err(command.getCommandSpec())::line;
        line.accept("waybill: " + e.getMessage());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && !String.valueOf(e.getMessage()).contains(cause.getMessage())) {
                line.accept("  because: " + cause.getMessage());
            }
        }
        TlsFailure.of(e)
                .map(failure -> "  that is: " + failure.what() + ". " + failure.remedy())
                .ifPresent(line);
        return code(e).number();
    }

    /** What picocli would say, but its messages quote what was typed. */
    private static int misused(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        StringWriter suggestions = new StringWriter();
        boolean suggested =
                CommandLine.UnmatchedArgumentException.printSuggestions(e, new PrintWriter(suggestions, true));
        Printer err = Printer.err(command.getCommandSpec());
        err.line(String.valueOf(e.getMessage()));
        if (suggested) {
            err.line(suggestions.toString().stripTrailing());
        } else {
            command.usage(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static ExitCode code(Exception e) {
        if (e instanceof CommandEndedException ended) {
            return ended.code();
        }
        return e instanceof ConfigurationException || e instanceof IllegalArgumentException
                ? ExitCode.USAGE
                : ExitCode.FAILED;
    }
}
