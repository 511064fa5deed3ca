package dev.waybill.server.cli;

import dev.waybill.server.config.ConfigurationPages;
import dev.waybill.server.config.Installation;
import dev.waybill.server.secrets.Secrets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description =
                "Checks a configuration file and prints it with all defaults, without secrets. Connects to nothing.")
final class ConfigCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private What what;

    static final class What {
        @Parameters(paramLabel = "FILE", description = "the configuration")
        private @Nullable Path file;

        @Option(names = "--schema", description = "print the JSON Schema of configuration files instead, for editors")
        private boolean schema;

        @Option(names = "--reference", description = "print the reference page of configuration files instead")
        private boolean reference;
    }

    @Override
    public Integer call() {
        Printer out = Printer.out(spec);
        if (what.schema) {
            out.script(ConfigurationPages.schema().stripTrailing());
        }
        if (what.reference) {
            out.script(ConfigurationPages.reference().stripTrailing());
        }
        if (what.file != null) {
            Secrets secrets = WaybillCommand.surroundingsOf(spec).secrets();
            try (Installation installation = Installation.read(what.file, secrets)) {
                out.script(installation.text().stripTrailing());
            }
        }
        return 0;
    }
}
