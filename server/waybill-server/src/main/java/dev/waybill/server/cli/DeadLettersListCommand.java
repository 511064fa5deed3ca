package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Letters of a dead-letter topic that were neither sent back nor discarded, oldest first; without the messages.")
final class DeadLettersListCommand implements Callable<Integer> {
    @Mixin
    private BoxChoice choice = new BoxChoice();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many; ${DEFAULT-VALUE} unless said")
    private int limit = 50;

    @Parameters(index = "0", paramLabel = "TOPIC", description = Letters.TOPIC)
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String topic;

    @Override
    public Integer call() {
        try (BoxChoice.Open open = choice.open(output.surroundings())) {
            List<DeadLetterEntry> letters = open.box().list(topic, limit);
            if (output.isJson()) {
                output.json(letters.stream().map(Letters::json).toList());
            } else if (letters.isEmpty()) {
                output.line("There are no dead letters in " + topic + ".");
            } else {
                output.print(table(letters));
            }
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
}
