package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.RelayName;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "discard",
        mixinStandardHelpOptions = true,
        description =
                "Gives dead or parked events of a relay up for good; what waited behind them goes on. It needs a --reason,"
                        + " first tells how many, and asks.")
final class DiscardCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Mixin
    private Consent consent = new Consent();

    @Mixin
    private SelectionOptions selected = new SelectionOptions();

    @Option(names = "--relay", required = true, paramLabel = "NAME", description = "the relay they are parked with")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String relay;

    @Override
    public Integer call() {
        RelayName name = new RelayName(relay);
        Selection selection = selected.selection(output.surroundings().clock());
        Actor by = person.actorWithReason("Discarding");
        try (Stores stores = choice.open(output.surroundings())) {
            StoreAdmin admin = stores.ofRelay(name).admin();
            DiscardPreview preview = admin.previewDiscard(name, selection);
            if (preview.found() == 0) {
                throw CommandEndedException.notFound(
                        "Relay " + name + " has none of these to discard; `waybill events --relay " + name
                                + " --state dead` lists what it has.");
            }
            consent.require(
                    "Relay " + name + " would never send " + (preview.exact() ? "" : "at least ")
                            + Cell.grouped(preview.found()) + " events.",
                    output);
            int discarded = admin.discard(name, selection, by);
            int leftOut = Math.max(0, preview.found() - discarded);
            output.done(
                    "discarded " + Cell.grouped(discarded) + LeftOut.inWords(leftOut),
                    Map.of("discarded", discarded, "leftOut", leftOut));
        }
        return ExitCode.OK.number();
    }
}
