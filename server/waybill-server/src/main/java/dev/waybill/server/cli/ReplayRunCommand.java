package dev.waybill.server.cli;

import dev.waybill.admin.ReplayAdmin;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.RelayName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Goes on with a replay that was begun and whose process has ended, from where it was.")
final class ReplayRunCommand implements Callable<Integer> {
    @Mixin
    private ReplayOptions options = new ReplayOptions();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "REPLAY", description = "the replay's name")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String replay;

    @Override
    public Integer call() {
        RelayName name = new RelayName(replay);
        try (Installation installation = options.installation(output.surroundings())) {
            ReplayAdmin admin = options.store(installation).requireReplays();
            if (admin.replay(name).isEmpty()) {
                throw CommandEndedException.notFound(
                        "There is no replay " + name + "; `waybill replay list` tells those there are.");
            }
            return new ReplayRun(output, name)
                    .untilEnd(admin, options.plan(installation))
                    .number();
        }
    }
}
