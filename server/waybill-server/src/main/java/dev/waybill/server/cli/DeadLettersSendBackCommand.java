package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.inbox.SendBack;
import dev.waybill.server.terminal.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "send-back",
        mixinStandardHelpOptions = true,
        description = "Sends the messages of dead letters, as they came, to the topics they came from. It asks.")
final class DeadLettersSendBackCommand implements Callable<Integer> {
    @Mixin
    private BoxChoice choice = new BoxChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Mixin
    private Consent consent = new Consent();

    @Parameters(index = "0", paramLabel = "TOPIC", description = Letters.TOPIC)
    @SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
    private String topic;

    @Parameters(
            index = "1..*",
            paramLabel = "PLACE",
            arity = "0..*",
            description = "where they stand, as the list tells; or --all")
    private List<String> places = new ArrayList<>();

    @Option(names = "--all", description = Letters.ALL)
    private boolean all;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "so many a second at most; ${DEFAULT-VALUE} unless said")
    private int rate;

    @Override
    public Integer call() {
        LetterFailures failures = new LetterFailures();
        List<DeadLetterEntry> letters;
        LetterCounts counts;
        try (BoxChoice.Open open = choice.open(output.surroundings())) {
            letters = Letters.chosen(places, all, topic, open.box());
            consent.require(
                    Cell.grouped(letters.size()) + " messages would be sent back to "
                            + Cell.harmless(Letters.origins(letters))
                            + "; every consumer there gets them, and those with an inbox handle them once"
                            + Letters.more(letters) + ".",
                    output);
            counts = SendBack.of(open.box(), rate)
                    .run(letters, person.actor(), () -> true, (letter, why) -> failures.add(why));
        }
        return new LetterAnswer("sent back", "sentBack", counts, Letters.missing(places, letters))
                .tell(output, failures, letters);
    }
}
