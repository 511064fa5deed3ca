package dev.waybill.bench.drain;

import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.servers.BenchDatabase;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.SystemSpec;
import dev.waybill.embedded.EndWithParent;
import dev.waybill.embedded.RabbitServer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fills an outbox and measures how fast a process with a small heap drains it, against the minimum that any relay must do. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast a backlog is drained to Kafka, compared with a raw producer that sends the same bytes from memory, and against"
                    + " the bare pipe: a loop that reads the same rows along the primary key and sends the same bytes.",
            "To RabbitMQ: against a raw publisher that keeps as many messages unconfirmed as there are keys, which is as many"
                    + " as the relay may have in flight.",
            "Also against the overlapped pipe, which reads in one thread and sends in another.",
            "Runs all in one warm process, in turns, every second round in reverse order, and prints medians, also of the"
                    + " rounds' ratios. A table is filled again before each of its drains.",
            "Features named by --with are started and warm before the drain: the console shows the overview for ten seconds"
                    + " and continues to send all requests of that page. When off, the process has no console."
        })
public final class DrainCommand implements Callable<Integer> {
    private static final int KAFKA_EVENTS = 300_000;
    private static final int RABBIT_EVENTS = 60_000;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "the store to drain: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Store store = Store.journal;

    @Option(
            names = "--open-transaction",
            description = "with --store table: also drain it while another transaction stays open")
    private boolean openTransaction;

    @Option(
            names = "--with",
            split = ",",
            paramLabel = "WHAT",
            description = "also drain the journal to Kafka with all of these on, in turns, and print the ratio to off:"
                    + " ${COMPLETION-CANDIDATES}")
    private List<Observation> with = List.of();

    @Option(
            names = "--exactly-once",
            description =
                    "also drain the journal to Kafka exactly once, in turns, and print the ratio to at least once")
    private boolean exactlyOnce;

    /** In lower case on the command line. A table that deletes rows has nothing left for the pipes, which come after it. */
    enum Store {
        journal(Backlog.JOURNAL),
        table(Backlog.TABLE);

        private final Backlog backlog;

        Store(Backlog backlog) {
            this.backlog = backlog;
        }
    }

    /** In lower case on the command line. */
    enum Broker {
        kafka,
        rabbitmq
    }

    @Option(
            names = "--destination",
            paramLabel = "BROKER",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Broker destination = Broker.kafka;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "the backlog (default: " + KAFKA_EVENTS + " to Kafka, " + RABBIT_EVENTS + " to RabbitMQ)")
    private @Nullable Integer events;

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    @Option(names = "--heap", paramLabel = "SIZE", description = "of the measured process (default: ${DEFAULT-VALUE})")
    private String heap = "256m";

    @Override
    public Integer call() throws Exception {
        if ((events != null && events < 1) || rounds < 1) {
            System.err.println("bench: --events and --rounds must be 1 or more.");
            return CommandLine.ExitCode.USAGE;
        }
        if (openTransaction && store != Store.table) {
            System.err.println("bench: --open-transaction needs --store table; it makes no difference to the journal.");
            return CommandLine.ExitCode.USAGE;
        }
        if (!with.isEmpty() && (store != Store.journal || destination != Broker.kafka)) {
            System.err.println("bench: --with is for the journal and Kafka; leave --store and --destination out.");
            return CommandLine.ExitCode.USAGE;
        }
        if (exactlyOnce && (store != Store.journal || destination != Broker.kafka || !with.isEmpty())) {
            System.err.println(
                    "bench: --exactly-once is for the journal and Kafka; leave --store, --destination and --with out.");
            return CommandLine.ExitCode.USAGE;
        }
        if (store == Store.table && destination == Broker.rabbitmq) {
            System.err.println("bench: --store table is drained to Kafka; leave --destination out.");
            return CommandLine.ExitCode.USAGE;
        }
        return destination == Broker.kafka ? toKafka() : toRabbit();
    }

    private int toKafka() throws Exception {
        try (Servers servers = Servers.start()) {
            fill(servers.jdbcUrl(), KAFKA_EVENTS);
            List<String> words = new ArrayList<>(List.of(
                    "--kafka=" + servers.bootstrapServers(),
                    "--url=" + servers.jdbcUrl(),
                    "--store=" + store.backlog,
                    "--exactly-once=" + exactlyOnce,
                    "--open-transaction=" + openTransaction));
            if (!with.isEmpty()) {
                words.add("--with=" + JournalDrain.names(with, ","));
            }
            return runWorker(DrainWorker.class, words, KAFKA_EVENTS);
        }
    }

    private void fill(String jdbcUrl, int unlessTold) throws SQLException {
        Progress.say("appending %,d events …", events(unlessTold));
        store.backlog.fill(Servers.dataSource(jdbcUrl), events(unlessTold), with.contains(Observation.tracing));
    }

    private int toRabbit() throws Exception {
        if (!RabbitServer.isInstalled()) {
            System.err.println("bench: RabbitMQ is not installed here; ./install-servers installs Debian's, as root.");
            return CommandLine.ExitCode.SOFTWARE;
        }
        try (BenchDatabase database = BenchDatabase.start();
                RabbitServer rabbit = RabbitServer.start()) {
            fill(database.jdbcUrl(), RABBIT_EVENTS);
            return runWorker(
                    RabbitDrainWorker.class,
                    List.of("--rabbitmq=" + rabbit.uri(), "--url=" + database.jdbcUrl()),
                    RABBIT_EVENTS);
        }
    }

    private int events(int unlessTold) {
        return events == null ? unlessTold : events;
    }

    /** Runs in its own process, so that only the relay uses the heap. */
    private int runWorker(Class<?> main, List<String> words, int unlessTold) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                SystemSpec.java(),
                "-Xmx" + heap,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                EndWithParent.class.getName(),
                main.getName()));
        command.addAll(words);
        command.addAll(List.of("--events=" + events(unlessTold), "--rounds=" + rounds));
        Process worker = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return worker.waitFor();
        } finally {
            worker.destroy();
        }
    }
}
