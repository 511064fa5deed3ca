package dev.waybill.bench.drain;

import com.rabbitmq.client.Connection;
import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.pipes.BarePipe;
import dev.waybill.bench.servers.Servers;
import dev.waybill.format.Format;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.Topology;
import dev.waybill.route.Route;
import dev.waybill.spi.OutboundMessage;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The measured process, to RabbitMQ. */
@Command(name = "drain-rabbit-worker")
@SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
public final class RabbitDrainWorker implements Callable<Integer> {
    static final String EXCHANGE = "bench.exchange";
    static final String TOPIC = "bench";
    private static final Topology TOPOLOGY =
            Topology.NONE.topicExchange(EXCHANGE).queue(TOPIC, EXCHANGE, TOPIC);

    @Option(names = "--url", required = true)
    private String url;

    @Option(names = "--rabbitmq", required = true)
    private String rabbitmq;

    @Option(names = "--events", required = true)
    private int events;

    @Option(names = "--rounds", required = true)
    private int rounds;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new RabbitDrainWorker()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        DataSource dataSource = Servers.dataSource(url);
        RabbitOptions options = RabbitOptions.of(rabbitmq).exchange(EXCHANGE).topology(TOPOLOGY);
        Route route = Route.fixed(TOPIC);
        Format format = Format.envelope("order-service");
        List<OutboundMessage> sample = BarePipe.sample(dataSource, Backlog.JOURNAL, route, format, Backlog.KEYS);
        try (Connection control = options.connectionFactory().newConnection();
                RawPublisher raw = new RawPublisher(options.connectionFactory(), sample, events, Backlog.KEYS);
                JournalDrain journal = new JournalDrain(
                        dataSource, RabbitDestination.of(options), new RelayDrain.Drained(route, format, events))) {
            describe(sample);
            var channel = control.createChannel();
            channel.exchangeDeclare(EXCHANGE, "topic", true);
            channel.queueDeclare(TOPIC, true, false, false, null);
            channel.queueBind(TOPIC, EXCHANGE, TOPIC);
            List<Runs> runs = Runs.inTurns(
                    List.of(new EmptyingQueue(raw, channel), new EmptyingQueue(journal, channel)), rounds, events);
            Runs.print(runs);
            System.out.printf(Locale.ROOT, "ratio-to-raw: %.2f%n", runs.get(1).ratioTo(runs.get(0)));
        }
        return 0;
    }

    private void describe(List<OutboundMessage> sample) {
        double bytes = sample.stream().mapToInt(m -> m.value().length).average().orElse(0);
        System.out.printf(
                Locale.ROOT,
                "drain to RabbitMQ: %,d events of %.0f bytes, %,d keys and as many unconfirmed, persistent and mandatory to one"
                        + " durable classic queue, heap %d MB, %d rounds after one to warm up, JDK %s%n",
                events,
                bytes,
                Backlog.KEYS,
                Runtime.getRuntime().maxMemory() >> 20,
                rounds,
                System.getProperty("java.version"));
    }
}
