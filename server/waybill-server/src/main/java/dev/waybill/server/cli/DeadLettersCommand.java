package dev.waybill.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "dead-letters",
        mixinStandardHelpOptions = true,
        description = "Messages that consumers gave up: listed, sent back to where they came from, or discarded.",
        subcommands = {
            DeadLettersListCommand.class,
            DeadLettersShowCommand.class,
            DeadLettersSendBackCommand.class,
            DeadLettersDiscardCommand.class
        })
final class DeadLettersCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Which command?");
    }
}
