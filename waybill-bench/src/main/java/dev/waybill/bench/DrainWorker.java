package dev.waybill.bench;

import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.route.Route;
import dev.waybill.spi.OutboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The measured process. */
@Command(name = "drain-worker", hidden = true)
@SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
final class DrainWorker implements Callable<Integer> {
    private static final int SAMPLE = 2_000;

    @Option(names = "--url", required = true)
    private String url;

    @Option(names = "--kafka", required = true)
    private String kafka;

    @Option(names = "--events", required = true)
    private int events;

    @Option(names = "--rounds", required = true)
    private int rounds;

    @Option(names = "--store", required = true)
    private Backlog store;

    @Option(names = "--open-transaction", required = true, arity = "1")
    private boolean openTransaction;

    @Override
    public Integer call() throws Exception {
        DataSource dataSource = Servers.dataSource(url);
        KafkaOptions options = KafkaOptions.of(Map.of("bootstrap.servers", kafka));
        Route route = Route.fixed(Servers.TOPIC);
        Format format = Format.envelope("order-service");
        List<Contender> relays = relays(dataSource, options, new TableDrain.Drained(route, format, events));
        try (BarePipe pipe = new BarePipe(dataSource, new Sending(options), route, format, store)) {
            List<OutboundMessage> sample = pipe.sample(SAMPLE);
            try (RawProducer raw = new RawProducer(new Sending(options), sample, events)) {
                describe(sample);
                List<Runs> runs = new ArrayList<>(List.of(new Runs(raw), new Runs(pipe)));
                relays.forEach(relay -> runs.add(new Runs(relay)));
                for (int round = 0; round <= rounds; round++) {
                    for (Runs each : runs) {
                        each.measure(round, rounds, events);
                    }
                }
                report(runs);
            }
        } finally {
            relays.forEach(Contender::close);
        }
        return 0;
    }

    private List<Contender> relays(DataSource dataSource, KafkaOptions options, TableDrain.Drained drained) {
        if (store == Backlog.JOURNAL) {
            return List.of(new JournalDrain(dataSource, options, drained.route(), drained.format(), events));
        }
        List<Contender> relays = new ArrayList<>(List.of(new TableDrain(dataSource, options, drained, false)));
        if (openTransaction) {
            relays.add(new TableDrain(dataSource, options, drained, true));
        }
        return relays;
    }

    private void describe(List<OutboundMessage> sample) {
        double bytes = sample.stream().mapToInt(m -> m.value().length).average().orElse(0);
        System.out.printf(
                Locale.ROOT,
                "drain: %,d events of %.0f bytes, %d partitions, heap %d MB, %d rounds after one to warm up, JDK %s%n",
                events,
                bytes,
                Servers.PARTITIONS,
                Runtime.getRuntime().maxMemory() >> 20,
                rounds,
                System.getProperty("java.version"));
    }

    private static void report(List<Runs> runs) {
        double best = runs.stream().mapToDouble(Runs::median).max().orElse(1);
        for (Runs each : runs) {
            System.out.printf(
                    Locale.ROOT, "  %-14s %,10.0f/s  %s%n", each.contender().name(), each.median(), "█".repeat((int)
                                    Math.round(40 * each.median() / best)));
        }
        double relay = runs.get(2).median();
        System.out.printf(
                Locale.ROOT, "ratio-to-pipe: %.2f%n", relay / runs.get(1).median());
        System.out.printf(
                Locale.ROOT, "ratio-to-raw: %.2f%n", relay / runs.get(0).median());
        if (runs.size() > 3) {
            System.out.printf(
                    Locale.ROOT,
                    "ratio-with-open-transaction: %.2f%n",
                    runs.get(3).median() / relay);
        }
    }

    /** What one contender reached, round by round. */
    private record Runs(Contender contender, List<Double> rates) {
        Runs(Contender contender) {
            this(contender, new ArrayList<>());
        }

        /** Round 0 warms up and does not count. */
        void measure(int round, int rounds, int events) throws Exception {
            contender.prepare();
            long begun = System.nanoTime();
            contender.drain();
            double rate = events / ((System.nanoTime() - begun) / 1e9);
            contender.putAway();
            Progress.say(
                    "%s: %-14s %,10.0f/s", round == 0 ? "warm-up" : round + " of " + rounds, contender.name(), rate);
            if (round > 0) {
                rates.add(rate);
            }
        }

        double median() {
            List<Double> sorted = rates.stream().sorted().toList();
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }
    }
}
