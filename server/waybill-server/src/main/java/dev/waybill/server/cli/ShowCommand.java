package dev.waybill.server.cli;

import dev.waybill.Payload;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.States;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description =
                "One event's life: when it was appended, and what each relay did with it. Its payload may be personal data:"
                        + " it is shown only when asked for, and that is audited.")
final class ShowCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Option(names = "--payload", description = "its payload too; binary ones in base64")
    private boolean payload;

    @Parameters(paramLabel = "ID", description = "the event's id")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String id;

    @Override
    public Integer call() {
        try (Stores stores = choice.open(output.surroundings())) {
            Stores.Found found = stores.find(id);
            Optional<Payload> read = payload ? read(found.store().admin()) : Optional.empty();
            if (output.isJson()) {
                output.json(json(found, read));
            } else {
                show(found, read);
            }
        }
        return ExitCode.OK.number();
    }

    private Optional<Payload> read(StoreAdmin admin) {
        return admin.payload(id, person.actor());
    }

    private void show(Stores.Found found, Optional<Payload> read) {
        EventStory story = found.story();
        Duration age = Duration.between(
                story.createdAt(), output.surroundings().clock().instant());
        line("event", story.id());
        line("store", found.store().name());
        line("type", story.type());
        line("aggregate", story.aggregateType());
        line("appended", Cell.time(story.createdAt()) + (age.isNegative() ? "" : ", " + Cell.age(age) + " ago"));
        line("payload", Cell.grouped(story.payloadBytes()) + " bytes");
        output.line("");
        if (story.relays().isEmpty()) {
            output.line("No relay has read this store yet.");
        } else {
            output.print(table(story));
            story.relays().stream().filter(chapter -> !why(chapter).isEmpty()).forEach(this::explain);
        }
        read.ifPresent(text -> output.line(System.lineSeparator() + Cell.harmless(text(text))));
    }

    /** In full: whoever asks for one event wants to know why. */
    private void explain(EventStory.Chapter chapter) {
        output.line("");
        output.sentence(chapter.relay() + ": " + Cell.harmless(why(chapter)));
    }

    private void line(String name, String value) {
        output.line(
                output.terminal().paint(String.format(Locale.ROOT, "%-11s", name), Tone.STRONG) + Cell.harmless(value));
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
            case PENDING, DEAD -> "";
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

    private static Map<String, Object> json(Stores.Found found, Optional<Payload> read) {
        EventStory story = found.story();
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", found.store().name());
        one.put("id", story.id());
        one.put("type", story.type());
        one.put("aggregateType", story.aggregateType());
        one.put("createdAt", story.createdAt().toString());
        one.put("payloadBytes", story.payloadBytes());
        one.put("relays", story.relays().stream().map(ShowCommand::json).toList());
        read.ifPresent(payload -> {
            one.put("contentType", payload.contentType());
            one.put(payload instanceof Payload.Json ? "payload" : "payloadBase64", text(payload));
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
            one.put("holdsKey", parked.holdsKey());
        });
        chapter.discarded().ifPresent(discarded -> {
            discarded.at().ifPresent(at -> one.put("discardedAt", at.toString()));
            one.put("discarded", discarded.note());
        });
        return one;
    }
}
