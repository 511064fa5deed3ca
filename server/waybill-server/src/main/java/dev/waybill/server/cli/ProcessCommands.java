package dev.waybill.server.cli;

import dev.waybill.server.config.ConfigurationPages;
import dev.waybill.server.config.Installation;
import dev.waybill.server.logs.LogFormat;
import dev.waybill.server.logs.LogSetup;
import dev.waybill.server.process.RunningProcess;
import dev.waybill.server.secrets.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands about the process and its configuration, which work on no store. */
final class ProcessCommands {
    private ProcessCommands() {}

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description = "Runs the relays of a configuration file until SIGTERM. Several processes may run the"
                    + " same file: each relay is active in one process, and another takes over when that process"
                    + " ends. Relays of journals are shared evenly.")
    static int run(
            @Mixin Console console,
            @Parameters(
                            paramLabel = "FILE",
                            arity = "0..1",
                            description =
                                    "configuration file (see waybill config --reference); default: the environment variable "
                                            + CommandContext.CONFIGURATION)
                    @Nullable Path file,
            @Option(
                            names = "--log",
                            paramLabel = "FORM",
                            defaultValue = "TEXT",
                            description = "log format: text or json; default: ${DEFAULT-VALUE}")
                    LogFormat log)
            throws IOException, InterruptedException {
        Secrets secrets = console.context().secrets();
        Installation installation = Installation.read(configuration(file, console), secrets);
        LogSetup.start(log, secrets);
        RunningProcess process = RunningProcess.start(installation);
        Runtime.getRuntime().addShutdownHook(new Thread(process::close, "waybill-stop"));
        new CountDownLatch(1).await();
        return ExitCode.OK.number();
    }

    private static Path configuration(@Nullable Path file, Console console) {
        return Optional.ofNullable(file)
                .or(() -> console.context().configuration().map(Path::of))
                .orElseThrow(() -> CommandEndedException.usage("No configuration was given: name the file, or set the"
                        + " environment variable " + CommandContext.CONFIGURATION + "."));
    }

    /** What {@code waybill config} prints. */
    static final class What {
        @Parameters(
                paramLabel = "FILE",
                description = "configuration file; default: the environment variable " + CommandContext.CONFIGURATION)
        private @Nullable Path file;

        @Option(names = "--schema", description = "print the JSON Schema of configuration files instead, for editors")
        private boolean schema;

        @Option(names = "--reference", description = "print the reference page of configuration files instead")
        private boolean reference;
    }

    @Command(
            name = "config",
            mixinStandardHelpOptions = true,
            description = "Validates a configuration file and prints it with all defaults, without secrets. Opens"
                    + " no connections.")
    static int config(@Mixin Console console, @ArgGroup @Nullable What given) {
        What what = given == null ? new What() : given;
        if (what.schema) {
            console.out().script(ConfigurationPages.schema().stripTrailing());
        }
        if (what.reference) {
            console.out().script(ConfigurationPages.reference().stripTrailing());
        }
        if (!what.schema && !what.reference) {
            try (Installation installation = Installation.read(
                    configuration(what.file, console), console.context().secrets())) {
                console.out().script(installation.text().stripTrailing());
            }
        }
        return ExitCode.OK.number();
    }

    @Command(
            name = "completion",
            mixinStandardHelpOptions = true,
            description = "Prints a completion script for bash and zsh. Use: source <(waybill completion)")
    static int completion(@Mixin Console console) {
        console.out().script(AutoComplete.bash("waybill", console.spec().root().commandLine()));
        return ExitCode.OK.number();
    }
}
