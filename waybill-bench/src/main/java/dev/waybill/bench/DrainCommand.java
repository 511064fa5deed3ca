package dev.waybill.bench;

import dev.waybill.embedded.RabbitServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fills a journal, then lets a process with a small heap empty it, against the least that any relay must do. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "How fast a backlog is drained to Kafka, against a raw producer that sends the same bytes from memory, and against"
                    + " the bare pipe: a loop that reads the same rows along the primary key and sends the same bytes.",
            "To RabbitMQ: against a raw publisher that keeps as many messages unconfirmed as there are keys, which is as many"
                    + " as the relay may have out.",
            "All in one process, warm, in turns; medians of five."
        })
final class DrainCommand implements Callable<Integer> {
    private static final int KAFKA_EVENTS = 300_000;
    private static final int RABBIT_EVENTS = 60_000;

    /** As they are written on the command line. */
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
    private int events;

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    @Option(names = "--heap", paramLabel = "SIZE", description = "of the measured process (default: ${DEFAULT-VALUE})")
    private String heap = "256m";

    @Override
    public Integer call() throws Exception {
        if (events < 0 || rounds < 1) {
            System.err.println("bench: --events and --rounds take 1 or more.");
            return CommandLine.ExitCode.USAGE;
        }
        return destination == Broker.kafka ? toKafka() : toRabbit();
    }

    private int toKafka() throws Exception {
        try (Servers servers = Servers.start()) {
            servers.journal().fill(events(KAFKA_EVENTS));
            return runWorker(
                    List.of("drain-worker", "--kafka=" + servers.bootstrapServers(), "--url=" + servers.jdbcUrl()),
                    KAFKA_EVENTS);
        }
    }

    private int toRabbit() throws Exception {
        if (!RabbitServer.isInstalled()) {
            System.err.println("bench: RabbitMQ is not installed here; ./install-servers installs Debian's, as root.");
            return CommandLine.ExitCode.SOFTWARE;
        }
        try (JournalDatabase journal = JournalDatabase.start();
                RabbitServer rabbit = RabbitServer.start()) {
            journal.fill(events(RABBIT_EVENTS));
            return runWorker(
                    List.of("drain-rabbit-worker", "--rabbitmq=" + rabbit.uri(), "--url=" + journal.jdbcUrl()),
                    RABBIT_EVENTS);
        }
    }

    private int events(int unlessTold) {
        return events > 0 ? events : unlessTold;
    }

    /** A process of its own, so that the heap is the relay's alone. */
    private int runWorker(List<String> words, int unlessTold) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx" + heap,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
        command.addAll(words);
        command.addAll(List.of("--events=" + events(unlessTold), "--rounds=" + rounds));
        ProcessBuilder builder = new ProcessBuilder(command);
        Process worker = builder.inheritIO().start();
        try {
            return worker.waitFor();
        } finally {
            worker.destroy();
        }
    }
}
