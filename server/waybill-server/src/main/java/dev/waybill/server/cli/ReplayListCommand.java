package dev.waybill.server.cli;

import dev.waybill.admin.ReplayStatus;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Replays of a store, with how far they are; also those that have ended, until waybill relay drop forgets them.")
final class ReplayListCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        try (Stores stores = choice.open(output.surroundings())) {
            List<ReplayStatus> replays = stores.only().requireReplays().replays();
            if (output.isJson()) {
                output.json(replays.stream().map(ReplayRun::json).toList());
            } else if (replays.isEmpty()) {
                output.line("There are no replays in this store.");
            } else {
                output.print(table(replays));
            }
        }
        return ExitCode.OK.number();
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
}
