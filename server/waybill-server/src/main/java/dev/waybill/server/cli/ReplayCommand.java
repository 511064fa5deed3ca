package dev.waybill.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Sends events again that were appended before, under a relay of its own: what other relays know about them"
                        + " stays as it is.",
        subcommands = {
            ReplayStartCommand.class,
            ReplayRunCommand.class,
            ReplayListCommand.class,
            ReplayCancelCommand.class
        })
final class ReplayCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
    }
}
