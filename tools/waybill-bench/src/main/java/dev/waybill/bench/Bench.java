package dev.waybill.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill bench}. */
@Command(
        name = "waybill bench",
        mixinStandardHelpOptions = true,
        description = "Measures on servers of its own; figures are only comparable within one run.",
        subcommands = {
            DrainCommand.class,
            DrainWorker.class,
            RabbitDrainWorker.class,
            LatencyCommand.class,
            InboxCommand.class
        })
public final class Bench implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "No benchmark was given: use drain, latency or inbox.");
    }
}
