package dev.waybill.server.cli;

import dev.waybill.Payload;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.States;
import dev.waybill.server.terminal.Table;
import dev.waybill.spi.Counted;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of {@code waybill show}: one event and its state with each relay.
 *
 * @param payload if it was asked for
 */
record OneEvent(Stores.Found found, Optional<Payload> payload) {

    void print(Output output) {
        if (output.isJson()) {
            output.json(json());
        } else {
            show(output);
        }
    }

    private void show(Output output) {
        EventHistory history = found.history();
        Duration age =
                Duration.between(history.createdAt(), output.context().clock().instant());
        output.property("event", history.id());
        output.property("store", found.store().name());
        output.property("type", history.type());
        output.property(
                "aggregate",
                (history.aggregateType() + " " + history.aggregateId().orElse("")).strip());
        boolean known = !age.isNegative() && !history.createdAt().equals(Instant.EPOCH);
        output.property("appended", Cell.time(history.createdAt()) + (known ? ", " + Cell.age(age) + " ago" : ""));
        output.property("payload", Counted.of(history.payloadBytes(), "byte"));
        output.line("");
        if (history.relays().isEmpty()) {
            output.line("No relay has read this store yet.");
        } else {
            output.print(table(history));
            history.relays().stream().filter(entry -> !why(entry).isEmpty()).forEach(each -> explain(each, output));
        }
        payload.ifPresent(bytes -> output.line(System.lineSeparator() + Cell.harmless(text(bytes))));
    }

    /** Prints the whole error, which a table would cut. */
    private static void explain(EventHistory.Entry entry, Output output) {
        output.line("");
        output.sentence(entry.relay() + ": " + Cell.harmless(why(entry)));
    }

    private static Table table(EventHistory history) {
        Table table = new Table()
                .column("RELAY")
                .column("STATE")
                .numberColumn("ATTEMPTS")
                .column("WHEN");
        for (EventHistory.Entry entry : history.relays()) {
            Optional<ParkedEvent> parked = entry.parked();
            table.row(
                    Cell.of(entry.relay()),
                    States.cell(entry.state()),
                    Cell.of(parked.map(event -> Integer.toString(event.attempts()))
                            .orElse("")),
                    Cell.of(when(entry)));
        }
        return table;
    }

    private static String when(EventHistory.Entry entry) {
        return switch (entry.state()) {
            case PUBLISHED ->
                entry.publishedBy().map(at -> "by " + Cell.time(at)).orElse("");
            case PARKED ->
                entry.parked()
                        .flatMap(ParkedEvent::nextAttemptAt)
                        .map(at -> "again " + Cell.time(at))
                        .orElse("");
            case DISCARDED ->
                entry.discarded()
                        .flatMap(EventHistory.Discarded::at)
                        .map(Cell::time)
                        .orElse("");
            case DEAD ->
                entry.parked().flatMap(ParkedEvent::failedAt).map(Cell::time).orElse("");
            case PENDING -> "";
        };
    }

    private static String why(EventHistory.Entry entry) {
        if (entry.discarded().isPresent()) {
            return entry.discarded().get().note();
        }
        String error = entry.parked().flatMap(ParkedEvent::error).orElse("");
        return entry.parked().filter(ParkedEvent::holdsKey).isPresent() ? error + " (holds its key)" : error;
    }

    private static String text(Payload payload) {
        return payload instanceof Payload.Json
                ? new String(payload.bytes(), StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(payload.bytes());
    }

    private Map<String, Object> json() {
        EventHistory history = found.history();
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", found.store().name());
        one.put("id", history.id());
        one.put("type", history.type());
        one.put("aggregateType", history.aggregateType());
        history.aggregateId().ifPresent(id -> one.put("aggregateId", id));
        one.put("createdAt", history.createdAt().toString());
        one.put("payloadBytes", history.payloadBytes());
        one.put("relays", history.relays().stream().map(OneEvent::json).toList());
        payload.ifPresent(bytes -> {
            one.put("contentType", bytes.contentType());
            one.put(bytes instanceof Payload.Json ? "payload" : "payloadBase64", text(bytes));
        });
        return one;
    }

    private static Map<String, Object> json(EventHistory.Entry entry) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("relay", entry.relay());
        one.put("state", entry.state().name().toLowerCase(Locale.ROOT));
        entry.publishedBy().ifPresent(at -> one.put("publishedBy", at.toString()));
        entry.parked().ifPresent(parked -> {
            one.put("attempts", parked.attempts());
            parked.error().ifPresent(error -> one.put("error", error));
            parked.nextAttemptAt().ifPresent(at -> one.put("nextAttemptAt", at.toString()));
            parked.failedAt().ifPresent(at -> one.put("failedAt", at.toString()));
            one.put("holdsKey", parked.holdsKey());
        });
        entry.discarded().ifPresent(discarded -> {
            discarded.at().ifPresent(at -> one.put("discardedAt", at.toString()));
            one.put("discarded", discarded.note());
        });
        return one;
    }
}
