package dev.waybill.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
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
            "All three in one process, warm, in turns; medians of five."
        })
final class DrainCommand implements Callable<Integer> {
    private static final int CHUNK = 50_000;
    private static final String FILL = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            select 'order.order.changed.v1', 'Order', 'order-' || (g * 7919 % 2000),
                   json_build_object('orderId', 'order-' || (g * 7919 % 2000), 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90))
              from generate_series(?::bigint, ?::bigint) g""";

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
        try (Servers servers = Servers.start()) {
            fill(servers);
            return runWorker(servers);
        }
    }

    private void fill(Servers servers) throws SQLException {
        try (Connection connection = Servers.dataSource(servers.jdbcUrl()).getConnection();
                PreparedStatement insert = connection.prepareStatement(FILL);
                Statement statement = connection.createStatement()) {
            for (int from = 1; from <= events; from += CHUNK) {
                insert.setLong(1, from);
                insert.setLong(2, Math.min(events, from + CHUNK - 1));
                insert.executeUpdate();
                Progress.say("%,d of %,d events appended", Math.min(events, from + CHUNK - 1), events);
            }
            statement.execute("checkpoint");
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
                "--rounds=" + rounds));
        Process worker = builder.inheritIO().start();
        try {
            return worker.waitFor();
        } finally {
            worker.destroy();
        }
    }
}
