package dev.waybill.server;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.SendBack;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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

    @Option(names = "--all", description = "all letters of the topic")
    private boolean all;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "so many a second at most; ${DEFAULT-VALUE} unless said")
    private int rate;

    @Override
    public Integer call() {
        Instant began = output.surroundings().clock().instant();
        Set<String> leftOut = new LinkedHashSet<>();
        int sent;
        try (BoxChoice.Open open = choice.open(output.surroundings())) {
            List<DeadLetterEntry> letters = Letters.chosen(places, all, topic, open.box());
            String origins = letters.stream()
                    .map(DeadLetterEntry::origin)
                    .collect(Collectors.collectingAndThen(
                            Collectors.toCollection(TreeSet::new), names -> String.join(", ", names)));
            consent.require(
                    Letters.count(letters) + " messages would be sent back to " + Cell.harmless(origins)
                            + "; every consumer there gets them, and those with an inbox handle them once.",
                    output);
            SendBack sendBack = SendBack.of(open.box(), rate);
            sent = Letters.deal(
                    letters,
                    all,
                    open.box(),
                    began,
                    page -> sendBack.run(
                            page,
                            person.actor(),
                            () -> true,
                            cannot -> leftOut.add(String.valueOf(cannot.getMessage()))));
        }
        if (!output.isJson()) {
            leftOut.forEach(why -> output.line(Cell.harmless(why)));
        }
        output.done("sent back " + Cell.grouped(sent), Map.of("sentBack", sent, "leftOut", leftOut.size()));
        return ExitCode.OK.number();
    }
}
