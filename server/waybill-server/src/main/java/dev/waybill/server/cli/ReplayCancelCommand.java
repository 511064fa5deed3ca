package dev.waybill.server.cli;

import dev.waybill.admin.ReplayStatus;
import dev.waybill.spi.RelayName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        mixinStandardHelpOptions = true,
        description =
                "Ends a replay before it is through. Whoever runs it settles what is out and claims nothing more.")
final class ReplayCancelCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Parameters(paramLabel = "REPLAY", description = "the replay's name")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String replay;

    @Override
    public Integer call() {
        RelayName name = new RelayName(replay);
        try (Stores stores = choice.open(output.surroundings())) {
            ReplayStatus status = stores.ofReplay(name)
                    .requireReplays()
                    .cancel(name, person.actor())
                    .orElseThrow(
                            () -> CommandEndedException.notFound("The replay " + name + " was dropped meanwhile."));
            output.done(ReplayRun.state(status) + ": " + status.counts(), ReplayRun.json(status));
        }
        return ExitCode.OK.number();
    }
}
