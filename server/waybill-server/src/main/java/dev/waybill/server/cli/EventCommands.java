package dev.waybill.server.cli;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
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
                        + " the number of events and asks for confirmation. Changes exactly the events shown, at"
                        + " most 100,000 at a time; those that match since are counted and stay as they are.",
                "A dead event that did not hold its key arrives late: later events of its key may already"
                        + " have been delivered."
            })
    static int requeue(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Mixin SelectionOptions selected) {
        try (Stores stores = choice.open(output)) {
            return change(stores, selected, output).requeue(confirmation, output);
        }
    }

    @Command(
            name = "discard",
            mixinStandardHelpOptions = true,
            description = "Discards dead or parked events of a relay permanently and releases the events behind"
                    + " them. Requires --reason, shows the number of events and asks for confirmation."
                    + " Changes exactly the events shown, at most 100,000 at a time.")
    static int discard(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Mixin SelectionOptions selected) {
        Actor by = confirmation.actorWithReason("Discarding");
        try (Stores stores = choice.open(output)) {
            return change(stores, selected, output).discard(confirmation, by, output);
        }
    }

    private static EventChange change(Stores stores, SelectionOptions selected, Output output) {
        return new EventChange(
                stores.ofRelay(selected.relay()).admin(),
                selected.relay(),
                selected.selection(output.context().clock()));
    }
}
