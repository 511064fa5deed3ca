package dev.waybill.server.cli;

import dev.waybill.server.terminal.Cell;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "purge",
        mixinStandardHelpOptions = true,
        description =
                "Deletes what every relay has published, none has parked, and is older than the given age; in small steps. It"
                        + " asks.")
final class PurgeCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Mixin
    private Consent consent = new Consent();

    @Option(
            names = "--older-than",
            required = true,
            paramLabel = "TIME",
            description = "as 30d or 12h, by the store's clock")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String olderThan;

    @Override
    public Integer call() {
        Duration age = Times.duration(olderThan);
        try (Stores stores = choice.open(output.surroundings())) {
            Stores.Named store = stores.only();
            consent.require(
                    "Published events of store " + store.name() + " that are older than " + olderThan
                            + " would be deleted for good.",
                    output);
            long deleted = store.admin().purge(age, person.actor());
            output.done("deleted " + Cell.grouped(deleted), Map.of("deleted", deleted));
        }
        return ExitCode.OK.number();
    }
}
