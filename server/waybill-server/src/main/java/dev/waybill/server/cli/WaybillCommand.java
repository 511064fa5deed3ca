package dev.waybill.server.cli;

import dev.waybill.server.config.ConfigurationException;
import dev.waybill.server.logs.LogSetup;
import dev.waybill.server.secrets.ScrubbedOutput;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.TlsFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;

/** {@code waybill}: the command line for operators. Commands are static methods, which picocli calls. */
@Command(
        name = "waybill",
        mixinStandardHelpOptions = true,
        description = "Sets up, runs, inspects and repairs transactional outboxes.")
public final class WaybillCommand {
    /** The launcher of a checkout runs these itself. */
    private static final Set<String> OF_A_CHECKOUT = Set.of("demo", "example", "bench", "dist");

    private final CommandContext context;

    private WaybillCommand(CommandContext context) {
        this.context = context;
    }

    public static void main(String[] arguments) {
        Secrets secrets = Secrets.ofThisProcess();
        secrets.addAll(SecretArguments.in(arguments));
        LogSetup.hide(secrets);
        ScrubbedOutput.Terminals own = ScrubbedOutput.install(secrets);
        System.exit(commandLine(CommandContext.ofThisProcess(secrets))
                .setOut(own.out())
                .setErr(own.err())
                .execute(arguments));
    }

    /** From the manifest of the jar, which compiled classes in a checkout do not have. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = WaybillCommand.class.getPackage().getImplementationVersion();
            return new String[] {"waybill " + (version == null ? "(a build without a version)" : version)};
        }
    }

    /** Every subcommand has the option too. */
    private static void tellVersion(CommandLine command) {
        command.getCommandSpec().versionProvider(new Version());
        command.getSubcommands().values().forEach(WaybillCommand::tellVersion);
    }

    static CommandLine commandLine() {
        return commandLine(CommandContext.ofThisProcess(new Secrets()));
    }

    static CommandLine commandLine(CommandContext context) {
        CommandLine waybill = new CommandLine(new WaybillCommand(context));
        add(waybill, ProcessCommands.class, "run", "config");
        waybill.addSubcommand(new InitCommand());
        add(waybill, ReportCommands.class, "status");
        add(waybill, EventCommands.class, "events", "show", "requeue", "discard");
        add(waybill, RelayCommands.class, "pause", "resume");
        add(
                group(
                        waybill,
                        "replay",
                        "Sends events again that were appended before, under a relay of its own: their state with other relays"
                                + " does not change."),
                ReplayCommands.class,
                "start",
                "run",
                "list",
                "cancel");
        add(group(waybill, "relay", "Drops or restores a relay."), RelayCommands.class, "drop", "restore");
        add(waybill, RelayCommands.class, "purge", "adopt");
        add(
                group(
                        waybill,
                        "dead-letters",
                        "Lists, counts, sends back or discards dead-letter messages, which consumers could not"
                                + " handle."),
                DeadLetterCommands.class,
                "list",
                "count",
                "show",
                "sendBack",
                "discard");
        add(waybill, ReportCommands.class, "audit", "doctor");
        add(waybill, PasswordCommand.class, "password");
        add(waybill, ProcessCommands.class, "completion");
        tellVersion(waybill);
        return waybill.setExecutionExceptionHandler(WaybillCommand::explain)
                .setParameterExceptionHandler(WaybillCommand::misused)
                // A file named on the command line could hold a secret that is not known yet.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static CommandLine group(CommandLine parent, String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name).mixinStandardHelpOptions(true);
        spec.usageMessage().description(description);
        CommandLine group = new CommandLine(spec);
        parent.addSubcommand(group);
        return group;
    }

    private static void add(CommandLine parent, Class<?> commands, String... methods) {
        for (String method : methods) {
            parent.addSubcommand(new CommandLine(
                    CommandLine.getCommandMethods(commands, method).get(0)));
        }
    }

    static CommandContext contextOf(CommandSpec command) {
        return ((WaybillCommand) command.root().userObject()).context;
    }

    /** Prints messages, which say what to do, instead of a stack trace. */
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

    /** Prints picocli's message without secrets: it quotes what was typed. */
    private static int misused(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        if (arguments.length > 0 && OF_A_CHECKOUT.contains(arguments[0])) {
            Printer.err(command.getCommandSpec())
                    .line("waybill: " + arguments[0] + " is not part of the distribution, it needs a checkout of the"
                            + " source: run ./waybill " + arguments[0] + " there.");
            return command.getCommandSpec().exitCodeOnInvalidInput();
        }
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
