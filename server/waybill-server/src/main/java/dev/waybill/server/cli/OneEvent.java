package dev.waybill.server.cli;

import dev.waybill.Payload;
import dev.waybill.admin.EventStory;
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
        EventStory story = found.story();
        Duration age =
                Duration.between(story.createdAt(), output.context().clock().instant());
        output.property("event", story.id());
        output.property("store", found.store().name());
        output.property("type", story.type());
        output.property(
                "aggregate", (story.aggregateType() + " " + story.aggregateId().orElse("")).strip());
        boolean known = !age.isNegative() && !story.createdAt().equals(Instant.EPOCH);
        output.property("appended", Cell.time(story.createdAt()) + (known ? ", " + Cell.age(age) + " ago" : ""));
        output.property("payload", Counted.of(story.payloadBytes(), "byte"));
        output.line("");
        if (story.relays().isEmpty()) {
            output.line("No relay has read this store yet.");
        } else {
            output.print(table(story));
            story.relays().stream().filter(chapter -> !why(chapter).isEmpty()).forEach(each -> explain(each, output));
        }
        payload.ifPresent(bytes -> output.line(System.lineSeparator() + Cell.harmless(text(bytes))));
    }

    /** Prints the whole error, which a table would cut. */
    private static void explain(EventStory.Chapter chapter, Output output) {
        output.line("");
        output.sentence(chapter.relay() + ": " + Cell.harmless(why(chapter)));
    }

    private static Table table(EventStory story) {
        Table table = new Table()
                .column("RELAY")
                .column("STATE")
                .numberColumn("ATTEMPTS")
                .column("WHEN");
        for (EventStory.Chapter chapter : story.relays()) {
            Optional<ParkedEvent> parked = chapter.parked();
            table.row(
                    Cell.of(chapter.relay()),
                    States.cell(chapter.state()),
                    Cell.of(parked.map(event -> Integer.toString(event.attempts()))
                            .orElse("")),
                    Cell.of(when(chapter)));
        }
        return table;
    }

    private static String when(EventStory.Chapter chapter) {
        return switch (chapter.state()) {
            case PUBLISHED ->
                chapter.publishedBy().map(at -> "by " + Cell.time(at)).orElse("");
            case PARKED ->
                chapter.parked()
                        .flatMap(ParkedEvent::nextAttemptAt)
                        .map(at -> "again " + Cell.time(at))
                        .orElse("");
            case DISCARDED ->
                chapter.discarded()
                        .flatMap(EventStory.Discarded::at)
                        .map(Cell::time)
                        .orElse("");
            case DEAD ->
                chapter.parked().flatMap(ParkedEvent::failedAt).map(Cell::time).orElse("");
            case PENDING -> "";
        };
    }

    private static String why(EventStory.Chapter chapter) {
        if (chapter.discarded().isPresent()) {
            return chapter.discarded().get().note();
        }
        String error = chapter.parked().flatMap(ParkedEvent::error).orElse("");
        return chapter.parked().filter(ParkedEvent::holdsKey).isPresent() ? error + " (holds its key)" : error;
    }

    private static String text(Payload payload) {
        return payload instanceof Payload.Json
                ? new String(payload.bytes(), StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(payload.bytes());
    }

    private Map<String, Object> json() {
        EventStory story = found.story();
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", found.store().name());
        one.put("id", story.id());
        one.put("type", story.type());
        one.put("aggregateType", story.aggregateType());
        story.aggregateId().ifPresent(id -> one.put("aggregateId", id));
        one.put("createdAt", story.createdAt().toString());
        one.put("payloadBytes", story.payloadBytes());
        one.put("relays", story.relays().stream().map(OneEvent::json).toList());
        payload.ifPresent(bytes -> {
            one.put("contentType", bytes.contentType());
            one.put(bytes instanceof Payload.Json ? "payload" : "payloadBase64", text(bytes));
        });
        return one;
    }

    private static Map<String, Object> json(EventStory.Chapter chapter) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("relay", chapter.relay());
        one.put("state", chapter.state().name().toLowerCase(Locale.ROOT));
        chapter.publishedBy().ifPresent(at -> one.put("publishedBy", at.toString()));
        chapter.parked().ifPresent(parked -> {
            one.put("attempts", parked.attempts());
            parked.error().ifPresent(error -> one.put("error", error));
            parked.nextAttemptAt().ifPresent(at -> one.put("nextAttemptAt", at.toString()));
            parked.failedAt().ifPresent(at -> one.put("failedAt", at.toString()));
            one.put("holdsKey", parked.holdsKey());
        });
        chapter.discarded().ifPresent(discarded -> {
            discarded.at().ifPresent(at -> one.put("discardedAt", at.toString()));
            one.put("discarded", discarded.note());
        });
        return one;
    }
}
