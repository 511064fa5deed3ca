package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.embedded.FreePort;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * One file with many relays over several databases, each relay with its own topic. Events are appended all the time, so that
 * relays are handed over under load.
 */
final class SharedRelays implements AutoCloseable {
    private static final String LEASES =
            "select relay, owner, epoch from waybill.lease where owner is not null and lease_until > clock_timestamp()";
    private static final Duration BETWEEN_APPENDS = Duration.ofMillis(100);

    private final String run;
    private final Path file;
    private final Map<String, List<String>> databases = new LinkedHashMap<>();
    private final Map<String, Connection> connections = new LinkedHashMap<>();
    private final Map<String, DataSource> dataSources = new LinkedHashMap<>();
    private final Map<String, List<String>> appended = new LinkedHashMap<>();
    private final List<RelayChild> children = new ArrayList<>();
    private final ArrivedOnTopics arrived;
    private final Thread appending;
    private final AtomicReference<Throwable> appendFailure = new AtomicReference<>();
    private volatile boolean stopping;

    /** The process that holds a lease, and its epoch. */
    record Held(String owner, long epoch) {}

    SharedRelays(String run, int relays, int stores) throws Exception {
        this.run = run;
        StringBuilder text = new StringBuilder("server: { port: 0 }\nstores:\n");
        for (int i = 0; i < stores; i++) {
            String database = TrialServers.postgres().createDatabase("shared");
            databases.put("store-" + i, new ArrayList<>());
            appended.put("store-" + i, new ArrayList<>());
            DataSource dataSource = TrialServers.postgres().dataSource(database);
            Connection connection = dataSource.getConnection();
            dataSources.put("store-" + i, dataSource);
            connections.put("store-" + i, connection);
            JournalSchema.create(connection);
            text.append("  store-%d: { type: postgres-journal, url: \"%s\" }%n"
                    .formatted(i, TrialServers.postgres().jdbcUrl(database)));
        }
        text.append("destinations:%n  kafka: %s%n  other: %s%n".formatted(kafka(), kafka()));
        text.append("relays:\n");
        for (int i = 0; i < relays; i++) {
            String store = "store-" + i % stores;
            databases.get(store).add(relay(i));
            text.append("  %s: { store: %s, destination: %s, format: raw, route: { topic: %s } }%n"
                    .formatted(relay(i), store, isToOther(relay(i)) ? "other" : "kafka", topic(relay(i))));
        }
        file = Files.createDirectories(Path.of("target", "trials", run)).resolve("waybill.yaml");
        Files.writeString(file, text);
        List<String> topics = relays().map(this::topic).toList();
        Topics.makeSmall(topics);
        arrived = new ArrivedOnTopics(topics);
        appending = new Thread(this::append, "append");
        appending.setUncaughtExceptionHandler((thread, failure) -> appendFailure.set(failure));
        appending.start();
    }

    private static String relay(int number) {
        return "relay-%02d".formatted(number);
    }

    /** Whether it has the second of two destinations: every second relay. Both are the same Kafka. */
    static boolean isToOther(String relay) {
        return Integer.parseInt(relay.substring(relay.indexOf('-') + 1)) % 2 == 1;
    }

    private static String kafka() {
        return "{ type: kafka, properties: { bootstrap.servers: \"%s\" } }"
                .formatted(TrialServers.kafka().bootstrapServers());
    }

    private String topic(String relay) {
        return run + "." + relay;
    }

    private Stream<String> relays() {
        return databases.values().stream().flatMap(List::stream);
    }

    /** Does not wait until it runs. */
    RelayChild start(String name) throws Exception {
        RelayChild child = RelayChild.startServer(run + "-" + name, Map.of(), List.of("run", file.toString()));
        children.add(child);
        return child;
    }

    /** A process with the same relays that finds no Kafka. */
    RelayChild startWithoutKafka(String name) throws Exception {
        return startWith(
                name,
                Files.readString(file)
                        .replace(TrialServers.kafka().bootstrapServers(), "localhost:" + FreePort.choose()));
    }

    /** A process with the same relays that finds only the first of the two destinations. */
    RelayChild startWithoutOther(String name) throws Exception {
        String nowhere = kafka().replace(TrialServers.kafka().bootstrapServers(), "localhost:" + FreePort.choose());
        return startWith(name, Files.readString(file).replace("other: " + kafka(), "other: " + nowhere));
    }

    private RelayChild startWith(String name, String configuration) throws Exception {
        Path changed = file.resolveSibling(name + ".yaml");
        Files.writeString(changed, configuration);
        RelayChild child = RelayChild.startServer(run + "-" + name, Map.of(), List.of("run", changed.toString()));
        children.add(child);
        return child;
    }

    /** A connection to one of the databases that nothing else uses. */
    Connection connect(int store) throws SQLException {
        return Objects.requireNonNull(dataSources.get("store-" + store)).getConnection();
    }

    /** What {@code waybill status} prints. */
    List<String> status() throws Exception {
        try (RelayChild status =
                RelayChild.startServer(run + "-status", Map.of(), List.of("status", "--config", file.toString()))) {
            assertThat(status.endsWithin(Duration.ofSeconds(60))).isTrue();
            return status.linesWith("");
        }
    }

    private void append() {
        while (!stopping) {
            dataSources.forEach(this::append);
            Await.watch(BETWEEN_APPENDS);
        }
    }

    private void append(String store, DataSource dataSource) {
        Event event = Event.of("order.placed")
                .aggregate("Order", "one")
                .payload(Payload.json("{}"))
                .id(EventIds.next());
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.journal().append(connection, event);
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException("An event could not be appended to " + store + ".", e);
        }
        List<String> ids = appended.get(store);
        synchronized (ids) {
            ids.add(event.id());
        }
    }

    Map<String, Held> leases() throws SQLException {
        Map<String, Held> leases = new TreeMap<>();
        for (Connection connection : connections.values()) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(LEASES)) {
                while (row.next()) {
                    leases.put(row.getString(1), new Held(row.getString(2), row.getLong(3)));
                }
            }
        }
        return leases;
    }

    /** Numbers of relays, by process. */
    List<Long> shares(List<RelayChild> processes) throws SQLException {
        Map<String, Held> leases = leases();
        return processes.stream()
                .map(process -> leases.values().stream()
                        .filter(held -> process.owns(held.owner()))
                        .count())
                .toList();
    }

    /** Waits until every relay runs, and each process has its share or up to 30 % more or less. */
    void awaitEven(List<RelayChild> processes) throws Exception {
        double share = (double) relays().count() / processes.size();
        Await.until(() -> "shared evenly by " + processes.size() + ": " + sharesNow(processes), () -> {
            List<Long> shares = shares(processes);
            return shares.stream().mapToLong(Long::longValue).sum() == relays().count()
                    && shares.stream().allMatch(count -> Math.abs(count - share) <= 0.3 * share);
        });
    }

    private String sharesNow(List<RelayChild> processes) {
        try {
            return shares(processes).toString();
        } catch (SQLException e) {
            return "unknown: " + e.getMessage();
        }
    }

    /** Waits until every relay has published an event that was appended after this call. */
    void awaitPublishing() {
        Map<String, Integer> before = new LinkedHashMap<>();
        appended.forEach((store, ids) -> before.put(store, copy(ids).size()));
        databases.forEach((store, relays) -> relays.forEach(relay -> Await.until(
                () -> "an event by " + relay + "; " + copy(appended.get(store)).size() + " appended, "
                        + arrived.on(topic(relay)).size() + " arrived",
                () -> copy(appended.get(store)).stream()
                        .skip(before.get(store) + 1L)
                        .anyMatch(arrived.on(topic(relay))::contains))));
    }

    private static List<String> copy(List<String> ids) {
        synchronized (ids) {
            return List.copyOf(ids);
        }
    }

    /** Stops appending, and asserts that every relay has delivered every event, first deliveries in order. */
    void assertAllInOrder() {
        stopAppending();
        assertThat(appendFailure.get()).isNull();
        int twice = 0;
        for (Map.Entry<String, List<String>> store : databases.entrySet()) {
            List<String> ids = appended.get(store.getKey());
            for (String relay : store.getValue()) {
                Await.until(
                        "all events by " + relay, () -> arrived.on(topic(relay)).containsAll(ids));
                List<String> came = arrived.on(topic(relay));
                List<String> first = new ArrayList<>(new LinkedHashSet<>(came));
                assertThat(first).as(relay).isEqualTo(ids);
                twice += came.size() - first.size();
            }
        }
        say("none lost, all in order; " + twice + " messages arrived twice");
    }

    private void stopAppending() {
        stopping = true;
        Await.until("no more is appended", () -> !appending.isAlive());
    }

    void say(String what) {
        System.out.printf(
                "trial %s %s: %s; %,d events so far%n",
                run,
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS),
                what,
                appended.values().stream().mapToInt(ids -> copy(ids).size()).sum());
    }

    @Override
    public void close() throws SQLException {
        stopAppending();
        children.forEach(RelayChild::close);
        arrived.close();
        for (Connection connection : connections.values()) {
            connection.close();
        }
    }
}
