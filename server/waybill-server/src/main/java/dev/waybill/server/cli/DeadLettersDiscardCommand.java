package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.Discard;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.server.terminal.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "discard",
        mixinStandardHelpOptions = true,
        description = "Marks dead letters as done with: they are listed no more. It needs a --reason, and asks.")
final class DeadLettersDiscardCommand implements Callable<Integer> {
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

    @Override
    public Integer call() {
        Actor by = person.actorWithReason("Discarding");
        List<DeadLetterEntry> letters;
        LetterCounts counts;
        LetterFailures failures = new LetterFailures();
        try (BoxChoice.Open open = choice.open(output.surroundings())) {
            letters = Letters.chosen(places, all, topic, open.box());
            consent.require(
                    Cell.grouped(letters.size()) + " dead letters would be discarded" + Letters.more(letters) + ".",
                    output);
            counts = Discard.of(open.box()).run(letters, by, () -> true, (letter, why) -> failures.add(why));
        }
        return new LetterAnswer("discarded", "discarded", counts, Letters.missing(places, letters))
                .tell(output, failures, letters);
    }
}
