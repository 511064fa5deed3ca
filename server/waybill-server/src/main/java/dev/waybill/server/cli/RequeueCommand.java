package dev.waybill.server.cli;

import dev.waybill.admin.RequeuePreview;
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
        name = "requeue",
        mixinStandardHelpOptions = true,
        description = {
            "Sends dead or parked events of a relay again, now, with their attempts counted from zero. It first tells how"
                    + " many, and asks.",
            "A dead event that did not hold its key arrives late: later events of its key may have been delivered meanwhile."
        })
final class RequeueCommand implements Callable<Integer> {
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
        try (Stores stores = choice.open(output.surroundings())) {
            StoreAdmin admin = stores.ofRelay(name).admin();
            RequeuePreview preview = admin.previewRequeue(name, selection);
            if (preview.found() == 0) {
                throw CommandEndedException.notFound(
                        "Relay " + name + " has none of these to requeue; `waybill events --relay " + name
                                + " --state dead` lists what it has.");
            }
            consent.require(words(preview), output);
            int requeued = admin.requeue(name, selection, person.actor());
            int leftOut = Math.max(0, preview.found() - requeued);
            output.done(
                    "requeued " + Cell.grouped(requeued) + LeftOut.inWords(leftOut),
                    Map.of("requeued", requeued, "late", preview.late(), "leftOut", leftOut));
        }
        return ExitCode.OK.number();
    }

    private String words(RequeuePreview preview) {
        String count = (preview.exact() ? "" : "at least ") + Cell.grouped(preview.found());
        String late = preview.late() == 0
                ? "none of them late"
                : Cell.grouped(preview.late()) + " of them late: later events of their keys may have been delivered";
        return "Relay " + relay + " would send " + count + " again, " + late + ".";
    }
}
