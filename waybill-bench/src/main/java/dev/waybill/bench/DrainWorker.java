package dev.waybill.bench;

import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.route.Route;
import dev.waybill.spi.OutboundMessage;
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

    @Override
    public Integer call() throws Exception {
        DataSource dataSource = Servers.dataSource(url);
        KafkaOptions options = KafkaOptions.of(Map.of("bootstrap.servers", kafka));
        Route route = Route.fixed(Servers.TOPIC);
        Format format = Format.envelope("order-service");
        try (BarePipe pipe = new BarePipe(dataSource, new Sending(options), route, format);
                JournalDrain journal =
                        new JournalDrain(dataSource, KafkaDestination.connect(options), route, format, events)) {
            List<OutboundMessage> sample = BarePipe.sample(dataSource, route, format, SAMPLE);
            try (RawProducer raw = new RawProducer(new Sending(options), sample, events)) {
                describe(sample);
                report(Runs.inTurns(List.of(raw, pipe, journal), rounds, events));
            }
        }
        return 0;
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
        Runs.print(runs);
        System.out.printf(
                Locale.ROOT,
                "ratio-to-pipe: %.2f%n",
                runs.get(2).median() / runs.get(1).median());
        System.out.printf(
                Locale.ROOT,
                "ratio-to-raw: %.2f%n",
                runs.get(2).median() / runs.get(0).median());
    }
}
