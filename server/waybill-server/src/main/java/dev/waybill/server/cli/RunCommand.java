package dev.waybill.server.cli;

import dev.waybill.server.config.Installation;
import dev.waybill.server.logs.LogFormat;
import dev.waybill.server.logs.LogSetup;
import dev.waybill.server.process.RunningProcess;
import dev.waybill.server.secrets.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description =
                "Runs all relays of a configuration file until it is stopped (SIGTERM). Any number of processes may"
                        + " run the same file: each relay works in one of them, and another takes over when that one ends.")
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "the configuration, as in docs/configuration.md")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private Path file;

    @Option(
            names = "--log",
            paramLabel = "FORM",
            defaultValue = "TEXT",
            description = "how the log is written: text for people, json for programs; ${DEFAULT-VALUE} unless said")
    private LogFormat log = LogFormat.TEXT;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Secrets secrets = WaybillCommand.surroundingsOf(spec).secrets();
        Installation installation = Installation.read(file, secrets);
        LogSetup.start(log, secrets);
        RunningProcess process = RunningProcess.start(installation);
        Runtime.getRuntime().addShutdownHook(new Thread(process::close, "waybill-stop"));
        new CountDownLatch(1).await();
        return 0;
    }
}
