package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import dev.waybill.spi.RelayName;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description =
                "Lets a dropped relay run again. It begins as one that was never there: where its configuration says. It needs a"
                        + " --reason, and asks.")
final class RelayRestoreCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Mixin
    private Consent consent = new Consent();

    @Parameters(paramLabel = "RELAY", description = "the relay's name")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String relay;

    @Override
    public Integer call() {
        RelayName name = new RelayName(relay);
        Actor by = person.actorWithReason("Restoring a relay");
        try (Stores stores = choice.open(output.surroundings())) {
            consent.require(
                    "Relay " + name + " could run again. A relay that begins at the beginning publishes all that its"
                            + " store still has.",
                    output);
            if (stores.all().stream()
                            .filter(store -> store.admin().restore(name, by))
                            .count()
                    == 0) {
                throw NoSuchRelay.dropped(name);
            }
        }
        output.done("restored " + name, Map.of("relay", relay, "restored", true));
        return ExitCode.OK.number();
    }
}
