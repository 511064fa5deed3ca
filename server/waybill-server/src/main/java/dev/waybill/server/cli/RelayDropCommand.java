package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.RelayName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        description =
                "Forgets a relay, or a replay, with its position and its parked and dead events; retention no longer waits for it. It"
                        + " is refused while somebody runs the relay. A process that has the relay in its configuration does not"
                        + " begin it anew, until waybill relay restore. It needs a --reason, and asks.")
final class RelayDropCommand implements Callable<Integer> {
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
        Actor by = person.actorWithReason("Dropping a relay");
        try (Stores stores = choice.open(output.surroundings())) {
            Stores.Named store = isReplay(stores, name) ? stores.ofReplay(name) : stores.ofRelay(name);
            consent.require(words(store, name), output);
            if (!store.admin().drop(name, by)) {
                throw NoSuchRelay.named(name);
            }
        }
        output.done("dropped " + name, Map.of("relay", relay, "dropped", true));
        return ExitCode.OK.number();
    }

    private static boolean isReplay(Stores stores, RelayName name) {
        return stores.all().stream()
                .flatMap(store -> store.replays().stream())
                .anyMatch(replays -> replays.replay(name).isPresent());
    }

    private String words(Stores.Named store, RelayName name) {
        Optional<ReplayStatus> replay = store.replays().flatMap(replays -> replays.replay(name));
        return replay.map(status -> "The replay " + name + " would be forgotten: " + ReplayRun.state(status) + ", "
                        + status.counts() + ".")
                .orElseGet(() -> words(store.admin().relays().stream()
                        .filter(each -> each.name().equals(relay))
                        .findFirst()
                        .orElseThrow(() -> NoSuchRelay.named(name))));
    }

    private static String words(RelayStatus status) {
        String runs = status.lease()
                .map(lease -> lease.owner() + " runs it, so it must be stopped first")
                .orElse("nobody runs it");
        return "Relay " + status.name() + " would be forgotten: " + runs + "; its backlog of "
                + (status.backlogExact() ? "" : "about ") + Cell.grouped(status.backlog()) + ", "
                + Cell.grouped(status.parked())
                + " parked and " + Cell.grouped(status.dead()) + " dead events would never be sent by it.";
    }
}
