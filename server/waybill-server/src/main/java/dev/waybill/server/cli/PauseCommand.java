package dev.waybill.server.cli;

import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.RelayName;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description =
                "Makes a relay claim nothing more, in every process, until it is resumed. What is out is settled.")
final class PauseCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Parameters(paramLabel = "RELAY", description = "the relay's name")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String relay;

    @Override
    public Integer call() {
        RelayName name = new RelayName(relay);
        try (Stores stores = choice.open(output.surroundings())) {
            StoreAdmin admin = stores.ofRelay(name).admin();
            if (!admin.pause(name, person.actor())) {
                throw NoSuchRelay.named(name);
            }
        }
        output.done("paused " + name, Map.of("relay", relay, "paused", true));
        return ExitCode.OK.number();
    }
}
