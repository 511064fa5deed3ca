package dev.waybill.server.cli;

import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.RelayName;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Begins a replay and runs it here until it is through, cancelled or stopped. It first tells how many events, and"
                    + " asks.",
            "It sends what was committed when it began and matches, in order, each once, to the destination of --relay."
        })
final class ReplayStartCommand implements Callable<Integer> {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    @Mixin
    private ReplayOptions options = new ReplayOptions();

    @Mixin
    private EventOptions events = new EventOptions();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Mixin
    private Consent consent = new Consent();

    @Option(names = "--name", paramLabel = "NAME", description = "what to call it; else the relay's name and the time")
    private @Nullable String given;

    @Override
    public Integer call() {
        ReplayQuery query = events.query(output.surroundings().clock());
        RelayName name = new RelayName(
                given == null
                        ? options.relay() + "-replay-"
                                + STAMP.format(output.surroundings().clock().instant())
                        : given);
        try (Installation installation = options.installation(output.surroundings())) {
            ReplayAdmin admin = options.store(installation).requireReplays();
            ReplaySize size = admin.preview(query);
            if (size.events() == 0) {
                throw CommandEndedException.notFound("No event matches: " + query.inWords() + ".");
            }
            consent.require(
                    "The replay " + name + " would send " + size + " events again (" + query.inWords() + "), to "
                            + installation.destinationOf(options.relay()) + ".",
                    output);
            admin.start(name, query, person.actor());
            return new ReplayRun(output, name)
                    .untilEnd(admin, options.plan(installation))
                    .number();
        }
    }
}
