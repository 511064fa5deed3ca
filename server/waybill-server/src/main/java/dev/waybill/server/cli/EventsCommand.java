package dev.waybill.server.cli;

import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.EventSummary;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.States;
import dev.waybill.server.terminal.Table;
import dev.waybill.spi.RelayName;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        description = {
            "Events, newest first, page by page; without payloads and keys.",
            "One page looks through a bounded number of events, so it may be short and not be the last: what it prints"
                    + " last tells how to go on."
        })
final class EventsCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private FilterOptions filter = new FilterOptions();

    @Option(
            names = "--relay",
            paramLabel = "NAME",
            description = "how they stand with this relay, instead of with each")
    private @Nullable String relay;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "with --relay: only events that stand so: ${COMPLETION-CANDIDATES}")
    private EventStory.@Nullable State state;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many a page has; ${DEFAULT-VALUE} unless said")
    private int limit = 50;

    @Option(names = "--after", paramLabel = "PLACE", description = "go on where a page ended")
    private @Nullable String after;

    @Override
    public Integer call() {
        EventQuery query = new EventQuery(
                filter.filter(output.surroundings().clock()),
                Optional.ofNullable(relay).map(RelayName::new),
                Optional.ofNullable(state),
                Optional.ofNullable(after),
                limit);
        try (Stores stores = choice.open(output.surroundings())) {
            Stores.Named store = query.relay().map(stores::ofRelay).orElseGet(stores::only);
            EventListing page = store.admin().events(query);
            if (output.isJson()) {
                output.json(json(page));
            } else {
                show(page);
            }
        }
        return ExitCode.OK.number();
    }

    private void show(EventListing page) {
        if (!page.events().isEmpty()) {
            Table table = new Table()
                    .column("CREATED")
                    .column("ID")
                    .textColumn("TYPE")
                    .textColumn("AGGREGATE");
            table.textColumn("RELAY").column("STATE").numberColumn("ATTEMPTS").textColumn("ERROR");
            page.events().forEach(event -> rows(event, table));
            output.print(table);
        }
        String looked = page.events().size() + " events, looked at " + Cell.grouped(page.lookedAt());
        output.aside(page.next()
                .map(place -> looked + "; there is more: --after " + place)
                .orElse(looked + "; that is all"));
    }

    private static void rows(EventSummary event, Table table) {
        Cell created = Cell.of(Cell.time(event.createdAt()));
        Cell none = Cell.of("");
        if (event.relays().isEmpty()) {
            table.row(
                    created,
                    Cell.of(event.id()),
                    Cell.of(event.type()),
                    Cell.of(event.aggregateType()),
                    none,
                    none,
                    none,
                    none);
        }
        for (EventSummary.Standing standing : event.relays()) {
            table.row(
                    created,
                    Cell.of(event.id()),
                    Cell.of(event.type()),
                    Cell.of(event.aggregateType()),
                    Cell.of(standing.relay()),
                    States.cell(standing.state()),
                    Cell.of(standing.attempts() == 0 ? "" : Integer.toString(standing.attempts())),
                    Cell.of(standing.error().orElse("")));
        }
    }

    private static Map<String, Object> json(EventListing page) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("events", page.events().stream().map(EventsCommand::json).toList());
        page.next().ifPresent(place -> answer.put("next", place));
        answer.put("lookedAt", page.lookedAt());
        return answer;
    }

    private static Map<String, Object> json(EventSummary event) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("id", event.id());
        one.put("type", event.type());
        one.put("aggregateType", event.aggregateType());
        one.put("createdAt", event.createdAt().toString());
        one.put("relays", event.relays().stream().map(EventsCommand::json).toList());
        return one;
    }

    private static Map<String, Object> json(EventSummary.Standing standing) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("relay", standing.relay());
        one.put("state", standing.state().name().toLowerCase(Locale.ROOT));
        one.put("attempts", standing.attempts());
        standing.error().ifPresent(error -> one.put("error", error));
        return one;
    }
}
