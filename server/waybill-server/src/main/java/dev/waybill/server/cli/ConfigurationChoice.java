package dev.waybill.server.cli;

import dev.waybill.server.config.Installation;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects the configuration file. */
class ConfigurationChoice {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "configuration file; default: the environment variable " + CommandContext.CONFIGURATION)
    private @Nullable Path file;

    final boolean namesFile() {
        return file != null;
    }

    /** @param missing the message if no file is given */
    final Installation installation(Console console, String missing) {
        CommandContext context = console.context();
        return Installation.read(
                Optional.ofNullable(file)
                        .or(() -> context.configuration().map(Path::of))
                        .orElseThrow(() -> CommandEndedException.usage(missing)),
                context.secrets());
    }
}
