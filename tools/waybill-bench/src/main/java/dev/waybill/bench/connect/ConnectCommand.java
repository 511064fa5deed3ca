package dev.waybill.bench.connect;

import dev.waybill.bench.results.Median;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Arrivals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the source connector beside Debezium's. */
@Command(
        name = "connect",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast connectors on a Kafka Connect worker drain a backlog: Debezium's with its outbox router, and"
                    + " Waybill's, on the same rows of one table with the same converters.",
            "Also Waybill's on a journal with the same events, exactly once, and Debezium's in transactions, both on a worker"
                    + " with exactly-once support.",
            "In turns, every second round in reverse order, after two rounds to warm up; rates from the first arrival to the"
                    + " last, counted at a consumer with read_committed; medians, of the rounds' ratios too.",
            "While they warm up, both connectors publish the same rows, and their records are compared."
        })
public final class ConnectCommand implements Callable<Integer> {
    @Option(names = "--events", paramLabel = "N", description = "the backlog (default: ${DEFAULT-VALUE})")
    private int events = 500_000;

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    /** After one drain the workers are still far from their final speed. */
    private static final int WARM_UPS = 2;

    private enum Way {
        DEBEZIUM("connect-debezium"),
        TABLE("connect-waybill-table"),
        JOURNAL("connect-waybill-journal"),
        DEBEZIUM_IN_TRANSACTIONS("connect-debezium-in-transactions");

        final String label;

        Way(String label) {
            this.label = label;
        }

        boolean isDebezium() {
            return this == DEBEZIUM || this == DEBEZIUM_IN_TRANSACTIONS;
        }

        boolean isExactlyOnce() {
            return this == JOURNAL || this == DEBEZIUM_IN_TRANSACTIONS;
        }
    }

    private final Map<Way, List<Double>> rates = new EnumMap<>(Way.class);

    @Override
    public Integer call() throws Exception {
        if (events < 1 || rounds < 1) {
            System.err.println("bench: --events and --rounds must be 1 or more.");
            return CommandLine.ExitCode.USAGE;
        }
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "bench")), "connect-")
                .toAbsolutePath();
        Optional<ConnectPlugins> plugins = ConnectPlugins.into(folder.resolve("plugins"));
        if (plugins.isEmpty()) {
            System.err.println(
                    "bench: the connectors of Debezium and Waybill are not built; ./waybill bench builds them.");
            return CommandLine.ExitCode.SOFTWARE;
        }
        boolean same;
        try (Servers servers = Servers.start()) {
            Progress.say("starting two workers of Kafka Connect; their logs are in %s …", folder);
            try (ConnectCluster plain = ConnectCluster.start(plugins.get(), folder, servers.bootstrapServers(), false);
                    ConnectCluster transactional =
                            ConnectCluster.start(plugins.get(), folder, servers.bootstrapServers(), true);
                    Arrivals arrivals = new Arrivals(servers.bootstrapServers(), Servers.PARTITIONS)) {
                same = measure(new ConnectOutbox(servers.jdbcUrl(), events), plain, transactional, arrivals);
            }
        }
        report(plugins.get(), same);
        return same ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** @return whether both connectors have sent the same records from the table */
    private boolean measure(ConnectOutbox outbox, ConnectCluster plain, ConnectCluster transactional, Arrivals arrivals)
            throws IOException, InterruptedException, SQLException {
        boolean same = true;
        List<Way> order = new ArrayList<>(List.of(Way.values()));
        for (int round = 1 - WARM_UPS; round <= rounds; round++) {
            boolean warmUp = round < 1;
            Map<Way, Map<Integer, String>> contents = new EnumMap<>(Way.class);
            for (Way way : order) {
                // While they warm up, both connectors get the same rows; Waybill deletes them, so Debezium comes first.
                if (way.isDebezium() || (way == Way.TABLE && !warmUp)) {
                    outbox.fill(way.isDebezium());
                }
                String topic = arrivals.topic(way.label);
                ConnectCluster cluster = way.isExactlyOnce() ? transactional : plain;
                cluster.create(topic, configuration(way, outbox, topic));
                double rate = arrivals.awaitRate(topic, events);
                String left = way == Way.TABLE ? String.format(Locale.ROOT, ", %,d rows left", outbox.rows()) : "";
                cluster.delete(topic);
                if (way.isDebezium()) {
                    outbox.dropSlot();
                }
                Progress.say(
                        "%s: %-33s %,8.0f/s%s", warmUp ? "warm-up" : round + " of " + rounds, way.label, rate, left);
                if (warmUp) {
                    contents.put(way, arrivals.contents(topic, "id"));
                } else {
                    rates.computeIfAbsent(way, each -> new ArrayList<>()).add(rate);
                }
                arrivals.delete(topic);
            }
            if (warmUp) {
                same &= Objects.equals(contents.get(Way.DEBEZIUM), contents.get(Way.TABLE));
            } else {
                Collections.reverse(order);
            }
        }
        return same;
    }

    private static Map<String, String> configuration(Way way, ConnectOutbox outbox, String topic) {
        return switch (way) {
            case DEBEZIUM, DEBEZIUM_IN_TRANSACTIONS -> outbox.debezium(topic);
            case TABLE -> outbox.table(topic);
            case JOURNAL -> outbox.journal(topic, topic);
        };
    }

    private void report(ConnectPlugins plugins, boolean same) {
        System.out.printf(
                Locale.ROOT,
                "connect: %,d events in each of %d rounds after two to warm up, Debezium %s, string converters, the worker's"
                        + " own producer settings, fsync on%n",
                events,
                rounds,
                plugins.debeziumVersion());
        for (Way way : Way.values()) {
            System.out.printf(Locale.ROOT, "%s: %.0f/s%n", way.label, median(way));
        }
        System.out.printf(Locale.ROOT, "ratio-to-debezium-connector: %.2f%n", ratio(Way.TABLE, Way.DEBEZIUM));
        System.out.printf(
                Locale.ROOT, "ratio-in-transactions: %.2f%n", ratio(Way.JOURNAL, Way.DEBEZIUM_IN_TRANSACTIONS));
        System.out.println("records-equal: " + (same ? "yes" : "NO"));
    }

    private double median(Way way) {
        return Median.of(rates.getOrDefault(way, List.of()));
    }

    private double ratio(Way ours, Way theirs) {
        List<Double> above = rates.getOrDefault(ours, List.of());
        List<Double> below = rates.getOrDefault(theirs, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < above.size(); round++) {
            ratios.add(above.get(round) / below.get(round));
        }
        return Median.of(ratios);
    }
}
