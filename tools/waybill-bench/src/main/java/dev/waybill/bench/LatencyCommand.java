package dev.waybill.bench;

import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the latency from commit to consumer, at a steady rate. */
@Command(
        name = "latency",
        mixinStandardHelpOptions = true,
        description =
                "How long after its commit an event reaches a consumer, with and without the signal of an outbox in the same"
                        + " process.")
final class LatencyCommand implements Callable<Integer> {
    /** Rounds alternate, because the speed of the machine varies over time. */
    private static final int ROUNDS = 3;

    @Option(names = "--rate", paramLabel = "N", description = "events a second (default: ${DEFAULT-VALUE})")
    private int rate = 500;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "how long each of three rounds (default: ${DEFAULT-VALUE})")
    private int seconds = 10;

    @Option(
            names = "--exactly-once",
            description = "to a consumer of committed messages, from a relay that delivers exactly once")
    private boolean exactlyOnce;

    @Override
    public Integer call() throws Exception {
        if (rate < 1 || seconds < 1) {
            System.err.println("bench: --rate and --seconds must be 1 or more.");
            return CommandLine.ExitCode.USAGE;
        }
        try (Servers servers = Servers.start()) {
            LatencyRun run = new LatencyRun(servers, rate, exactlyOnce);
            Progress.say("warming up …");
            run.measure(5, true);
            run.measure(5, false);
            Latencies signalled = Latencies.NONE;
            Latencies polled = Latencies.NONE;
            for (int round = 1; round <= ROUNDS; round++) {
                Progress.say("round %d of %d: with the signal, %d s …", round, ROUNDS, seconds);
                signalled = signalled.and(run.measure(seconds, true));
                Progress.say("round %d of %d: without it, as from another process, %d s …", round, ROUNDS, seconds);
                polled = polled.and(run.measure(seconds, false));
            }
            System.out.printf(
                    Locale.ROOT,
                    "latency: commit to consumer%s at %d/s, %d events each%n",
                    exactlyOnce ? ", exactly once," : "",
                    rate,
                    signalled.count());
            report("signal", signalled);
            report("polling", polled);
        }
        return 0;
    }

    private static void report(String how, Latencies latencies) {
        System.out.printf(
                Locale.ROOT,
                "latency-%s: p50 %.1f ms  p99 %.1f ms  max %.1f ms%n",
                how,
                latencies.millis(0.50),
                latencies.millis(0.99),
                latencies.millis(1));
    }
}
