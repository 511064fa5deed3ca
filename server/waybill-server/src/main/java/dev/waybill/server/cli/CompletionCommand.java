package dev.waybill.server.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description =
                "Prints a script for bash and zsh that completes commands and options: source <(./waybill completion)")
final class CompletionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Override
    public Integer call() {
        Printer.out(spec).script(AutoComplete.bash("waybill", spec.root().commandLine()));
        return ExitCode.OK.number();
    }
}
