package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.Discard;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.inbox.SendBack;
import dev.waybill.server.checkup.WaitingLetters;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.spi.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill dead-letters}. */
final class DeadLetterCommands {
    private static final String TOPIC = "the dead-letter topic, such as orders.placed.v1.dlt";

    private DeadLetterCommands() {}

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the open messages of a dead-letter topic, oldest first, without their contents.")
    static int list(
            @Mixin BoxChoice choice,
            @Mixin Output output,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "maximum number of messages; default: ${DEFAULT-VALUE}")
                    int limit,
            @Parameters(index = "0", paramLabel = "TOPIC", description = TOPIC) String topic) {
        try (BoxChoice.Open open = choice.open(output)) {
            open.warn(output, topic);
            return output.list(
                    open.box().list(topic, limit),
                    Letters::json,
                    "There are no dead letters in " + topic + ".",
                    DeadLetterCommands::table);
        }
    }

    @Command(
            name = "count",
            mixinStandardHelpOptions = true,
            description = {
                "Counts open dead-letter messages by topic and consumer. Reads at most 10,000 messages of"
                        + " a topic; for a larger topic it counts the newest and prints >. Lists the top 100"
                        + " consumers of a topic and the number of others.",
                "RabbitMQ reports the number of messages per queue, not per consumer."
            })
    static int count(
            @Mixin BoxChoice choice,
            @Mixin Output output,
            @Parameters(
                            paramLabel = "TOPIC",
                            arity = "0..*",
                            description =
                                    "dead-letter topics; default: those whose names end in .dlt, on RabbitMQ those of the"
                                            + " topology")
                    @Nullable List<String> topics) {
        WaitingLetters letters = new WaitingLetters();
        try (BoxChoice.Open open = choice.open(output)) {
            DeadLetterBox box = open.box();
            letters.add(
                    open.destination(),
                    box.count(topics == null || topics.isEmpty() ? open.topics() : topics, DeadLetterCount.COUNTED));
        }
        if (output.isJson()) {
            output.json(letters.json());
        } else if (letters.isEmpty()) {
            output.line("There is no dead-letter topic. Name one, if its name does not end in .dlt.");
        } else {
            output.print(letters.table());
        }
        return ExitCode.OK.number();
    }

    private static Table table(List<DeadLetterEntry> letters) {
        Table table = new Table()
                .column("FAILED")
                .column("PLACE")
                .textColumn("EVENT")
                .textColumn("CONSUMER")
                .textColumn("ERROR");
        for (DeadLetterEntry letter : letters) {
            table.row(
                    Cell.time(letter.failedAt()),
                    Cell.of(letter.place()),
                    Cell.of(letter.eventId()),
                    Cell.of(letter.consumer()),
                    Cell.of(letter.error()));
        }
        return table;
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows one dead-letter message, without its contents.")
    static int show(
            @Mixin BoxChoice choice,
            @Mixin Output output,
            @Parameters(index = "0", paramLabel = "TOPIC", description = TOPIC) String topic,
            @Parameters(index = "1", paramLabel = "PLACE", description = "id of the message, as listed") String place) {
        try (BoxChoice.Open open = choice.open(output)) {
            open.warn(output, topic);
            DeadLetterEntry letter =
                    Letters.at(List.of(place), topic, open.box()).get(0);
            if (output.isJson()) {
                output.json(Letters.json(letter));
            } else {
                Letters.json(letter).forEach((name, value) -> output.property(name, String.valueOf(value)));
            }
        }
        return ExitCode.OK.number();
    }

    @Command(
            name = "send-back",
            mixinStandardHelpOptions = true,
            description =
                    "Sends dead-letter messages, unchanged, back to their original topics. Asks for" + " confirmation.")
    static int sendBack(
            @Mixin BoxChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Mixin Selected selected,
            @Option(
                            names = "--rate",
                            paramLabel = "N",
                            defaultValue = "1000",
                            description = "maximum number of messages per second; default: ${DEFAULT-VALUE}")
                    int rate) {
        return selected.change(choice, output, "sent back", "sentBack", (box, letters, failed) -> {
            confirmation.require(
                    Counted.of(letters.size(), "message") + " would be sent back to "
                            + Cell.harmless(Letters.origins(letters))
                            + "; every consumer there gets "
                            + (letters.size() == 1
                                    ? "it, and those with an inbox handle it"
                                    : "them, and those with an inbox handle them")
                            + " once"
                            + Letters.more(letters) + ".",
                    output);
            return SendBack.of(box, rate).run(letters, confirmation.actor(), () -> true, failed);
        });
    }

    @Command(
            name = "discard",
            mixinStandardHelpOptions = true,
            description = "Marks dead-letter messages as done, so that they are no longer listed. Requires --reason"
                    + " and asks for confirmation.")
    static int discard(
            @Mixin BoxChoice choice, @Mixin Output output, @Mixin Confirmation confirmation, @Mixin Selected selected) {
        Actor by = confirmation.actorWithReason("Discarding");
        return selected.change(choice, output, "discarded", "discarded", (box, letters, failed) -> {
            confirmation.require(
                    Counted.of(letters.size(), "dead letter") + " would be discarded" + Letters.more(letters) + ".",
                    output);
            return Discard.of(box).run(letters, by, () -> true, failed);
        });
    }

    /** Letters by their places, or all of a topic. */
    static final class Selected {
        @Parameters(index = "0", paramLabel = "TOPIC", description = TOPIC)
        @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
        private String topic;

        @Parameters(
                index = "1..*",
                paramLabel = "PLACE",
                arity = "0..*",
                description = "ids of the messages, as listed; or --all")
        private List<String> places = new ArrayList<>();

        @Option(names = "--all", description = "all letters of the topic, at most " + Letters.MOST + " at a time")
        private boolean all;

        int change(BoxChoice choice, Output output, String done, String json, Change change) {
            LetterAnswer answer = new LetterAnswer();
            List<DeadLetterEntry> letters;
            LetterCounts counts;
            try (BoxChoice.Open open = choice.open(output)) {
                open.warn(output, topic);
                letters = Letters.chosen(places, all, topic, open.box());
                counts = change.of(open.box(), letters, (letter, why) -> answer.failed(why));
            }
            return answer.print(output, done, json, counts, Letters.missing(places, letters), Letters.more(letters));
        }
    }

    /** Asks, then changes the letters. */
    private interface Change {
        LetterCounts of(
                DeadLetterBox box, List<DeadLetterEntry> letters, BiConsumer<DeadLetterEntry, RuntimeException> failed);
    }
}
