package dev.waybill.server.cli;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.Counted;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands about single events. */
final class EventCommands {
    private EventCommands() {}

    @Command(
            name = "events",
            mixinStandardHelpOptions = true,
            description = {
                "Lists events, newest first, in pages, without payloads and keys.",
                "A page examines a bounded number of events, so a short page may not be the last. Its"
                        + " last line shows how to continue."
            })
    static int events(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin EventOptions.WithKey filter,
            @Option(names = "--relay", paramLabel = "NAME", description = "show the state for this relay only")
                    @Nullable String relay,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            description = "with --relay: only events in this state: ${COMPLETION-CANDIDATES}")
                    EventHistory.@Nullable State state,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "events per page; default: ${DEFAULT-VALUE}")
                    int limit,
            @Option(
                            names = "--after",
                            paramLabel = "PLACE",
                            description = "continue after a page, with the value from its last line")
                    @Nullable String after) {
        EventQuery query = new EventQuery(
                filter.filter(output.context().clock()),
                Optional.ofNullable(relay).map(RelayName::new),
                Optional.ofNullable(state),
                Optional.ofNullable(after),
                limit);
        try (Stores stores = choice.open(output)) {
            EventListing page = query.relay()
                    .map(stores::ofRelay)
                    .orElseGet(stores::only)
                    .admin()
                    .events(query);
            EventPage.print(page, output);
        }
        return ExitCode.OK.number();
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows the history of one event: when it was appended and what each relay did with it."
                    + " Shows the payload, which may be personal data, only with --payload, which is audited.")
    static int show(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Operator operator,
            @Option(names = "--payload", description = "show the payload too; binary payloads in base64")
                    boolean payload,
            @Parameters(paramLabel = "ID", description = "the id of the event") String id) {
        try (Stores stores = choice.open(output)) {
            Stores.Found found = stores.find(id);
            Optional<Payload> read = payload ? found.store().admin().payload(id, operator.actor()) : Optional.empty();
            new OneEvent(found, read).print(output);
        }
        return ExitCode.OK.number();
    }

    @Command(
            name = "requeue",
            mixinStandardHelpOptions = true,
            description = {
                "Retries dead or parked events of a relay immediately, with a new attempt count. Shows"
                        + " the number of events and asks for confirmation.",
                "A dead event that did not hold its key arrives late: later events of its key may already"
                        + " have been delivered."
            })
    static int requeue(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Mixin SelectionOptions selected) {
        RelayName relay = selected.relay();
        Selection selection = selected.selection(output.context().clock());
        try (Stores stores = choice.open(output)) {
            StoreAdmin admin = stores.ofRelay(relay).admin();
            RequeuePreview preview = admin.previewRequeue(relay, selection);
            requireSome(preview.found(), relay, "requeue");
            String late = preview.late() == 0
                    ? "none of them late"
                    : Cell.grouped(preview.late())
                            + " of them late: later events of their keys may have been delivered";
            confirmation.require(
                    "Relay " + relay + " would send " + count(preview.found(), preview.exact()) + " again, " + late
                            + ".",
                    output);
            int requeued = admin.requeue(relay, selection, confirmation.actor());
            return done(output, "requeued", requeued, preview.found(), Map.of("late", preview.late()));
        }
    }

    @Command(
            name = "discard",
            mixinStandardHelpOptions = true,
            description = "Discards dead or parked events of a relay permanently and releases the events behind"
                    + " them. Requires --reason, shows the number of events and asks for confirmation.")
    static int discard(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Mixin SelectionOptions selected) {
        RelayName relay = selected.relay();
        Selection selection = selected.selection(output.context().clock());
        Actor by = confirmation.actorWithReason("Discarding");
        try (Stores stores = choice.open(output)) {
            StoreAdmin admin = stores.ofRelay(relay).admin();
            DiscardPreview preview = admin.previewDiscard(relay, selection);
            requireSome(preview.found(), relay, "discard");
            confirmation.require(
                    "Relay " + relay + " would never send " + count(preview.found(), preview.exact()) + ".", output);
            return done(output, "discarded", admin.discard(relay, selection, by), preview.found(), Map.of());
        }
    }

    private static void requireSome(int found, RelayName relay, String what) {
        if (found == 0) {
            throw CommandEndedException.notFound("Relay " + relay + " has none of these to " + what
                    + "; `waybill events --relay " + relay + " --state dead` lists what it has.");
        }
    }

    private static String count(int found, boolean exact) {
        return (exact ? "" : "at least ") + Counted.of(found, "event");
    }

    private static int done(Output output, String what, int changed, int found, Map<String, Object> more) {
        int leftOut = Math.max(0, found - changed);
        Map<String, Object> numbers = new LinkedHashMap<>(more);
        numbers.put(what, changed);
        numbers.put("leftOut", leftOut);
        return output.done(
                what + " " + Cell.grouped(changed)
                        + (leftOut == 0
                                ? ""
                                : ", left out " + Cell.grouped(leftOut)
                                        + ": changed meanwhile, in flight or locked, or waiting behind such an event of"
                                        + " the same key; run it again for the rest"),
                numbers);
    }
}
