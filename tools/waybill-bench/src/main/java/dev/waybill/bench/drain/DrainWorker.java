package dev.waybill.bench.drain;

import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.pipes.BarePipe;
import dev.waybill.bench.pipes.Contender;
import dev.waybill.bench.pipes.OverlappedPipe;
import dev.waybill.bench.pipes.RawProducer;
import dev.waybill.bench.pipes.Sending;
import dev.waybill.bench.servers.Servers;
import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.route.Route;
import dev.waybill.spi.OutboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The measured process. */
@Command(name = "drain-worker")
@SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
public final class DrainWorker implements Callable<Integer> {
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

    @Option(names = "--with", split = ",")
    private List<Observation> with = List.of();

    @Option(names = "--exactly-once", required = true, arity = "1")
    private boolean exactlyOnce;

    @Option(names = "--open-transaction", required = true, arity = "1")
    private boolean openTransaction;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new DrainWorker()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        DataSource dataSource = Servers.dataSource(url);
        KafkaOptions options = KafkaOptions.of(Map.of("bootstrap.servers", kafka));
        Route route = Route.fixed(Servers.TOPIC);
        Format format = Format.envelope("order-service");
        List<Contender> relays = relays(dataSource, options, new RelayDrain.Drained(route, format, events));
        try (BarePipe pipe = new BarePipe(dataSource, new Sending(options), route, format, store);
                OverlappedPipe overlapped =
                        new OverlappedPipe(dataSource, new Sending(options), route, format, store)) {
            List<OutboundMessage> sample = BarePipe.sample(dataSource, store, route, format, SAMPLE);
            try (RawProducer raw = new RawProducer(new Sending(options), sample, events)) {
                describe(sample);
                List<Contender> contenders = new ArrayList<>(List.of(raw, pipe));
                contenders.addAll(relays);
                contenders.add(overlapped);
                report(Runs.inTurns(contenders, rounds, events));
            }
        } finally {
            relays.forEach(Contender::close);
        }
        return 0;
    }

    private List<Contender> relays(DataSource dataSource, KafkaOptions options, RelayDrain.Drained drained) {
        if (store == Backlog.JOURNAL) {
            return journals(PostgresJournal.on(dataSource), options, drained);
        }
        List<Contender> relays =
                new ArrayList<>(List.of(new TableDrain(dataSource, KafkaDestination.of(options), drained, false)));
        if (openTransaction) {
            relays.add(new TableDrain(dataSource, KafkaDestination.of(options), drained, true));
        }
        return relays;
    }

    private List<Contender> journals(PostgresJournal journal, KafkaOptions options, RelayDrain.Drained drained) {
        List<Contender> relays = new ArrayList<>(
                List.of(new JournalDrain(journal, KafkaDestination.of(options), drained, JournalDrain.Observed.NOT)));
        if (!with.isEmpty()) {
            relays.add(new JournalDrain(
                    journal, KafkaDestination.of(options), drained, new JournalDrain.Observed(with, url, kafka)));
        } else if (exactlyOnce) {
            relays.add(JournalDrain.exactlyOnce(journal, KafkaDestination.of(options), drained));
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

    private String compared() {
        if (exactlyOnce) {
            return "exactly-once";
        }
        return "with-" + (with.isEmpty() ? "open-transaction" : JournalDrain.names(with, "-"));
    }

    private void report(List<Runs> runs) {
        Runs.print(runs);
        Runs relay = runs.get(2);
        Runs limit = runs.get(runs.size() - 1);
        ratio("ratio-to-overlapped-pipe", relay.ratioTo(limit));
        ratio("cpu-ratio", relay.cpuRatioTo(limit));
        double toPipe = relay.ratioTo(runs.get(1));
        ratio("ratio-to-pipe", toPipe);
        if (store == Backlog.TABLE) {
            ratio("table-ratio-to-pipe", toPipe);
        }
        ratio("ratio-to-raw", relay.ratioTo(runs.get(0)));
        if (runs.size() > 4) {
            ratio("ratio-" + compared(), runs.get(3).ratioTo(relay));
            ratio("cpu-ratio-" + compared(), runs.get(3).cpuRatioTo(relay));
        }
    }

    private static void ratio(String name, double value) {
        System.out.printf(Locale.ROOT, "%s: %.2f%n", name, value);
    }
}
