package dev.waybill.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fills an outbox, then lets a process with a small heap empty it, against the least that any relay must do. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "How fast a backlog is drained to Kafka, against a raw producer that sends the same bytes from memory, and against"
                    + " the bare pipe: a loop that reads the same rows along the primary key and sends the same bytes.",
            "All three in one process, warm, in turns; medians of five. A table is filled anew before each of its drains."
        })
final class DrainCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "what is drained: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Backlog store = Backlog.JOURNAL;

    @Option(
            names = "--open-transaction",
            description = "with --store table: drain it also beside a transaction that stays open all the while")
    private boolean openTransaction;

    @Option(names = "--events", paramLabel = "N", description = "the backlog (default: ${DEFAULT-VALUE})")
    private int events = 300_000;

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    @Option(names = "--heap", paramLabel = "SIZE", description = "of the measured process (default: ${DEFAULT-VALUE})")
    private String heap = "256m";

    @Override
    public Integer call() throws Exception {
        if (events < 1 || rounds < 1) {
            System.err.println("bench: --events and --rounds take 1 or more.");
            return CommandLine.ExitCode.USAGE;
        }
        if (openTransaction && store != Backlog.TABLE) {
            System.err.println(
                    "bench: --open-transaction goes with --store table; to the journal it makes no difference.");
            return CommandLine.ExitCode.USAGE;
        }
        try (Servers servers = Servers.start()) {
            Progress.say("appending %,d events", events);
            store.fill(Servers.dataSource(servers.jdbcUrl()), events);
            return runWorker(servers);
        }
    }

    /** A process of its own, so that the heap is the relay's alone. */
    private int runWorker(Servers servers) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx" + heap,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName(),
                "drain-worker",
                "--url=" + servers.jdbcUrl(),
                "--kafka=" + servers.bootstrapServers(),
                "--events=" + events,
                "--rounds=" + rounds,
                "--store=" + store,
                "--open-transaction=" + openTransaction));
        Process worker = builder.inheritIO().start();
        try {
            return worker.waitFor();
        } finally {
            worker.destroy();
        }
    }
}
