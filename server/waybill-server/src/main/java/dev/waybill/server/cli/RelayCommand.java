package dev.waybill.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "relay",
        mixinStandardHelpOptions = true,
        description = "What is done to a relay as a whole.",
        subcommands = {RelayDropCommand.class, RelayRestoreCommand.class})
final class RelayCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
    }
}
