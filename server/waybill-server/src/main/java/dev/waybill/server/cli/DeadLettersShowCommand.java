package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Tone;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "All that is known of one dead letter, without its message.")
final class DeadLettersShowCommand implements Callable<Integer> {
    @Mixin
    private BoxChoice choice = new BoxChoice();

    @Mixin
    private Output output = new Output();

    @Parameters(index = "0", paramLabel = "TOPIC", description = Letters.TOPIC)
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String topic;

    @Parameters(index = "1", paramLabel = "PLACE", description = "where it stands, as the list tells")
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String place;

    @Override
    public Integer call() {
        try (BoxChoice.Open open = choice.open(output.surroundings())) {
            DeadLetterEntry letter =
                    Letters.at(List.of(place), topic, open.box()).get(0);
            if (output.isJson()) {
                output.json(Letters.json(letter));
            } else {
                Letters.json(letter)
                        .forEach((name, value) -> output.line(output.terminal()
                                        .paint(String.format(java.util.Locale.ROOT, "%-10s", name), Tone.STRONG)
                                + Cell.harmless(String.valueOf(value))));
            }
        }
        return ExitCode.OK.number();
    }
}
