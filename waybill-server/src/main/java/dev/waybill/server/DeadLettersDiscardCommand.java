package dev.waybill.server;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        int discarded = 0;
        LetterFailures failures = new LetterFailures();
        try (BoxChoice.Open open = choice.open(output.surroundings())) {
            letters = Letters.chosen(places, all, topic, open.box());
            consent.require(
                    Cell.grouped(letters.size()) + " dead letters would be discarded" + Letters.more(letters) + ".",
                    output);
            for (DeadLetterEntry letter : letters) {
                try {
                    discarded += open.box().discard(letter, by) ? 1 : 0;
                } catch (LetterStaysException e) {
                    failures.add(e);
                }
            }
        }
        failures.tell(output);
        output.done(
                "discarded " + Cell.grouped(discarded) + failures.words() + Letters.more(letters),
                Map.of("discarded", discarded, "failed", failures.count()));
        return failures.exitCode().number();
    }
}
