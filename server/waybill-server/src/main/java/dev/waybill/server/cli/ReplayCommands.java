package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.server.config.Installation;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import dev.waybill.spi.Counted;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill replay}. */
final class ReplayCommands {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private static final String REPLAY = "the name of the replay";

    private ReplayCommands() {}

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = {
                "Starts a replay and runs it in this terminal until it is complete, cancelled or stopped."
                        + " Shows the number of events and asks for confirmation.",
                "Publishes the matching events that were committed at its start, in order, each once, to"
                        + " the destination of --relay."
            })
    static int start(
            @Mixin ReplayOptions options,
            @Mixin EventOptions events,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "name of the replay; default: the relay's name and the time")
                    @Nullable String given) {
        ReplayQuery query = events.query(output.context().clock());
        RelayName name = new RelayName(
                given == null
                        ? options.relay() + "-replay-"
                                + STAMP.format(output.context().clock().instant())
                        : given);
        try (Installation installation = options.installation(output)) {
            ReplayAdmin admin = options.store(installation).requireReplays();
            ReplaySize size = admin.preview(query);
            if (size.events() == 0 && size.exact()) {
                throw CommandEndedException.notFound("No event matches: " + query.inWords() + ".");
            }
            confirmation.require(
                    "The replay " + name + " would send " + (size.exact() ? "" : "at least ")
                            + Counted.of(size.events(), "event") + " again (" + query.inWords() + "), to "
                            + installation.destinationOf(options.relay())
                            + ". Events that match and are appended before it starts are sent too.",
                    output);
            admin.start(name, query, confirmation.actor());
            return new ReplayRun(output, name, options.relay())
                    .untilEnd(admin, options.plan(installation))
                    .number();
        }
    }

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description = "Continues an interrupted replay from its position.")
    static int run(
            @Mixin ReplayOptions options,
            @Mixin Output output,
            @Parameters(paramLabel = "REPLAY", description = REPLAY) String replay) {
        RelayName name = new RelayName(replay);
        try (Installation installation = options.installation(output)) {
            ReplayAdmin admin = options.store(installation).requireReplays();
            if (admin.replay(name).isEmpty()) {
                throw CommandEndedException.notFound(
                        "There is no replay " + name + "; `waybill replay list` lists the replays.");
            }
            return new ReplayRun(output, name, options.relay())
                    .untilEnd(admin, options.plan(installation))
                    .number();
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the replays of a store with their progress, including ended ones until waybill"
                    + " relay drop removes them.")
    static int list(@Mixin StoreChoice choice, @Mixin Output output) {
        try (Stores stores = choice.open(output)) {
            return output.list(
                    stores.only().requireReplays().replays(),
                    ReplayRun::json,
                    "There are no replays in this store.",
                    ReplayCommands::table);
        }
    }

    private static Table table(List<ReplayStatus> replays) {
        Table table = new Table()
                .column("REPLAY")
                .column("STATE")
                .numberColumn("SENT")
                .numberColumn("NOT SENT");
        table.numberColumn("PARKED")
                .numberColumn("DEAD")
                .column("STARTED")
                .textColumn("BY")
                .textColumn("EVENTS");
        for (ReplayStatus replay : replays) {
            ReplayStatus.Counts counts = replay.counts();
            table.row(
                    Cell.of(replay.name()),
                    Cell.of(ReplayRun.state(replay)),
                    Cell.number(counts.sent()),
                    Cell.of((counts.notSent().exact() ? "" : "> ")
                            + Cell.grouped(counts.notSent().events())),
                    Cell.badNumber(counts.parked(), Tone.WARN),
                    Cell.badNumber(counts.dead(), Tone.BAD),
                    Cell.of(Cell.time(replay.startedAt())),
                    Cell.of(replay.by().who()),
                    Cell.of(replay.query().inWords()));
        }
        return table;
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = "Cancels a replay. The process that runs it completes the events in flight and stops.")
    static int cancel(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Operator operator,
            @Parameters(paramLabel = "REPLAY", description = REPLAY) String replay) {
        RelayName name = new RelayName(replay);
        try (Stores stores = choice.open(output)) {
            ReplayStatus status = stores.ofReplay(name)
                    .requireReplays()
                    .cancel(name, operator.actor())
                    .orElseThrow(
                            () -> CommandEndedException.notFound("The replay " + name + " was dropped meanwhile."));
            return output.done(ReplayRun.state(status) + ": " + status.counts(), ReplayRun.json(status));
        }
    }
}
