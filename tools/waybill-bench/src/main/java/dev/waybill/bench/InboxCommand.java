package dev.waybill.bench;

import dev.waybill.bench.servers.Servers;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the cost of handling each event once, and what batches save. */
@Command(
        name = "inbox",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast a consumer handles events from Kafka with effects in PostgreSQL: one transaction per event or"
                    + " per batch, with and without the inbox.",
            "Runs all four in turns and prints medians."
        })
final class InboxCommand implements Callable<Integer> {
    private static final int BAR = 40;

    @Option(names = "--events", paramLabel = "N", description = "events per round (default: ${DEFAULT-VALUE})")
    private int events = 10_000;

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Override
    public Integer call() throws Exception {
        if (events < 1 || rounds < 1) {
            System.err.println("bench: --events and --rounds must be 1 or more.");
            return CommandLine.ExitCode.USAGE;
        }
        try (Servers servers = Servers.start();
                InboxRun run = new InboxRun(servers, events)) {
            report(run.inTurns(rounds));
        }
        return 0;
    }

    private void report(Map<InboxRun.Way, InboxRun.Figures> medians) {
        System.out.printf(
                Locale.ROOT,
                "inbox: %,d events in each of %d rounds after one to warm up, %d keys, %d workers, batches of %d, fsync on%n",
                events,
                rounds,
                InboxRun.KEYS,
                InboxRun.OPTIONS.workers(),
                InboxRun.OPTIONS.batch());
        double best = medians.values().stream()
                .mapToDouble(InboxRun.Figures::rate)
                .max()
                .orElse(1);
        medians.forEach((way, median) -> System.out.printf(
                Locale.ROOT,
                "  %-24s %,8.0f/s  %.3f commits/event  %s%n",
                way.words,
                median.rate(),
                median.commitsPerEvent(),
                "█".repeat((int) Math.round(BAR * median.rate() / best))));
        ratio("ratio-batch-to-single", medians, InboxRun.Way.BATCHES_INBOX, InboxRun.Way.SINGLE_INBOX);
        ratio("ratio-inbox-to-none-single", medians, InboxRun.Way.SINGLE_INBOX, InboxRun.Way.SINGLE_NONE);
        ratio("ratio-inbox-to-none-batch", medians, InboxRun.Way.BATCHES_INBOX, InboxRun.Way.BATCHES_NONE);
    }

    private static void ratio(
            String name, Map<InboxRun.Way, InboxRun.Figures> medians, InboxRun.Way of, InboxRun.Way to) {
        InboxRun.Figures above = medians.get(of);
        InboxRun.Figures below = medians.get(to);
        if (above != null && below != null) {
            System.out.printf(Locale.ROOT, "%s: %.2f%n", name, above.rate() / below.rate());
        }
    }
}
