package dev.waybill.server.cli;

import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventSummary;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.States;
import dev.waybill.server.terminal.Table;
import dev.waybill.spi.Counted;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The answer of {@code waybill events}: one line for each event and relay. */
final class EventPage {
    private EventPage() {}

    static void print(EventListing page, Output output) {
        if (output.isJson()) {
            output.json(json(page));
            return;
        }
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
        String searched = Counted.of(page.events().size(), "event") + ", searched " + Cell.grouped(page.lookedAt());
        output.aside(page.next()
                .map(place -> searched + "; continue with --after " + place)
                .orElse(searched + "; that is all"));
    }

    private static void rows(EventSummary event, Table table) {
        Cell none = Cell.of("");
        if (event.relays().isEmpty()) {
            row(table, event, none, none, none, none);
        }
        for (EventSummary.Standing standing : event.relays()) {
            row(
                    table,
                    event,
                    Cell.of(standing.relay()),
                    States.cell(standing.state()),
                    Cell.of(standing.attempts() == 0 ? "" : Integer.toString(standing.attempts())),
                    Cell.of(standing.error().orElse("")));
        }
    }

    private static void row(Table table, EventSummary event, Cell relay, Cell state, Cell attempts, Cell error) {
        table.row(
                Cell.of(Cell.time(event.createdAt())),
                Cell.of(event.id()),
                Cell.of(event.type()),
                Cell.of((event.aggregateType() + " " + event.aggregateId().orElse("")).strip()),
                relay,
                state,
                attempts,
                error);
    }

    private static Map<String, Object> json(EventListing page) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("events", page.events().stream().map(EventPage::json).toList());
        page.next().ifPresent(place -> answer.put("next", place));
        answer.put("lookedAt", page.lookedAt());
        return answer;
    }

    private static Map<String, Object> json(EventSummary event) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("id", event.id());
        one.put("type", event.type());
        one.put("aggregateType", event.aggregateType());
        event.aggregateId().ifPresent(id -> one.put("aggregateId", id));
        one.put("createdAt", event.createdAt().toString());
        one.put("relays", event.relays().stream().map(EventPage::json).toList());
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
