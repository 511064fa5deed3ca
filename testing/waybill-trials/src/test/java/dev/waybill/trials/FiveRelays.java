package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.admin.RelayStatus;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.server.config.Installation;
import dev.waybill.table.TableSchema;
import dev.waybill.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * One file with five relays: a journal to Kafka and to RabbitMQ, and three existing outbox tables, one to each broker.
 * Appended events are remembered and compared with what arrives.
 */
final class FiveRelays implements AutoCloseable {
    static final String SECRET = "canary-4711";
    static final String SHOP = "shop";
    static final String POLYSHOP = "polyshop";
    static final String NOTIFICATIONS = "notifications";
    static final String LICENSES = "licenses";

    private static final int KEYS = 3;
    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              shop: { type: postgres-journal, url: "URL.shop", password: "${SHOP_PASSWORD:-none}", retention: 30d }
              polyshop: { type: table, url: "URL.polyshop", layout: polyshop }
              notifications: { type: table, url: "URL.notifications", layout: notifications }
              licenses: { type: table, url: "URL.licenses", layout: { preset: pubsub } }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "KAFKA" } }
              rabbit:
                type: rabbitmq
                uri: "RABBIT"
                exchange: RUN.exchange
                topology:
                  exchanges: { RUN.exchange: topic }
                  queues: { RUN.shop: {}, RUN.notifications: {} }
                  bindings:
                    - { queue: RUN.shop, exchange: RUN.exchange, key: RUN.shop }
                    - { queue: RUN.notifications, exchange: RUN.exchange, key: RUN.notifications }
              pubsub: { type: pubsub, project: PROJECT, emulator: "PUBSUB" }
            relays:
              shop-to-kafka:
                store: shop
                destination: kafka
                format: envelope
                source: shop
                route: { topic: RUN.shop }
              shop-to-rabbit: { store: shop, destination: rabbit, route: { topic: RUN.shop } }
              polyshop-to-kafka: { store: polyshop, destination: kafka, route: { template: "RUN.{type}" } }
              notifications-to-rabbit:
                store: notifications
                destination: rabbit
                format: notification
                route: { aggregate-type: { RESTAURANT: RUN.notifications } }
              licenses-to-pubsub:
                store: licenses
                destination: pubsub
                format: raw
                route: { by: registry }
                registry:
                  events:
                    license_changed: { topic: RUN.licenses, aggregate-type: license, schema: license.schema.json }
            """;

    private final String run;
    private final FiveServers servers;
    private final Path file;
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Map<String, Sink> sinks = new LinkedHashMap<>();
    private final List<RelayChild> children = new ArrayList<>();
    private final Installation installation;

    /** The sources of events. */
    private record Source(
            DataSource dataSource, JdbcOutbox outbox, String type, String aggregateType, List<String> ids) {}

    /** The targets of events. */
    private interface Sink {
        List<String> eventIds() throws Exception;
    }

    /**
     * @param run prefix of the names of its topics and queues
     */
    FiveRelays(String run, FiveServers servers) throws Exception {
        this.run = run;
        this.servers = servers;
        this.file = Files.createDirectories(Path.of("target", "trials", run)).resolve("waybill.yaml");
        String text = CONFIGURATION
                .replace("RUN", run)
                .replace("KAFKA", TrialServers.kafka().bootstrapServers())
                .replace("RABBIT", servers.rabbit().uri())
                .replace("PUBSUB", servers.pubSub())
                .replace("PROJECT", EmulatedTopic.PROJECT);
        text = addTable(text, POLYSHOP, TableLayout.polyshop(), "product.changed", "Product");
        text = addTable(text, NOTIFICATIONS, TableLayout.notifications(), "table.reserved", "RESTAURANT");
        text = addTable(text, LICENSES, TableLayout.pubsub(), "license_changed", "license");
        Files.writeString(file, addJournal(text));
        Files.writeString(
                file.resolveSibling("license.schema.json"), "{\"type\":\"object\",\"required\":[\"number\"]}");
        addSinks();
        this.installation = Installation.read(file);
    }

    private String addJournal(String text) throws SQLException {
        DataSource dataSource = servers.newDatabase(SHOP);
        try (Connection connection = dataSource.getConnection()) {
            JournalSchema.create(connection);
        }
        sources.put(SHOP, new Source(dataSource, JdbcOutbox.journal(), "order.placed", "Order", new ArrayList<>()));
        return text.replace("URL." + SHOP, servers.urlOf(dataSource));
    }

    private String addTable(String text, String name, TableLayout layout, String type, String aggregateType)
            throws SQLException {
        DataSource dataSource = servers.newDatabase(name);
        try (Connection connection = dataSource.getConnection()) {
            TableSchema.create(connection, layout);
        }
        sources.put(name, new Source(dataSource, JdbcOutbox.table(layout), type, aggregateType, new ArrayList<>()));
        return text.replace("URL." + name, servers.urlOf(dataSource));
    }

    private void addSinks() throws Exception {
        Topics.make(List.of(run + ".shop", run + ".product.changed"));
        sinks.put("shop-to-kafka", () -> onKafka(run + ".shop"));
        sinks.put("polyshop-to-kafka", () -> onKafka(run + ".product.changed"));
        sinks.put("shop-to-rabbit", new RabbitQueue(servers.rabbit(), run + ".shop")::eventIds);
        sinks.put("notifications-to-rabbit", new RabbitQueue(servers.rabbit(), run + ".notifications")::eventIds);
        sinks.put("licenses-to-pubsub", EmulatedTopic.make(servers.pubSub(), run + ".licenses")::eventIds);
    }

    private static List<String> onKafka(String topic) {
        return Messages.on(topic).stream()
                .map(message -> message.headers().get("event-id"))
                .toList();
    }

    Path file() {
        return file;
    }

    /** Starts a process and waits until it runs. */
    RelayChild start(String name) throws Exception {
        RelayChild child = RelayChild.startServer(
                run + "-" + name, Map.of("SHOP_PASSWORD", SECRET), List.of("run", file.toString(), "--log", "json"));
        children.add(child);
        child.awaitWords("5 relays run");
        return child;
    }

    /** Appends one event for each key of each of these stores. */
    void append(String... stores) throws SQLException {
        for (String store : stores) {
            Source source = sources.get(store);
            try (Connection connection = source.dataSource.getConnection()) {
                connection.setAutoCommit(false);
                List<String> ids = new ArrayList<>();
                for (int key = 1; key <= KEYS; key++) {
                    Event event = event(source, key);
                    source.outbox.append(connection, event);
                    ids.add(event.id());
                }
                connection.commit();
                source.ids.addAll(ids);
            }
        }
    }

    private static Event event(Source source, int key) {
        return Event.of(source.type)
                .aggregate(source.aggregateType, Integer.toString(key))
                .payload(Payload.json("{\"number\":" + source.ids.size() + "}"))
                .id(EventIds.next());
    }

    void appendEverywhere() throws SQLException {
        append(SHOP, POLYSHOP, NOTIFICATIONS, LICENSES);
    }

    /** Waits until these relays have delivered all appended events. */
    void awaitAll(String... relays) throws Exception {
        for (String relay : relays) {
            List<String> ids = sources.get(installation.storeOf(relay)).ids();
            try {
                Await.until(
                        "everything to arrive by " + relay,
                        () -> sink(relay).eventIds().containsAll(ids));
            } catch (AssertionError e) {
                throw new AssertionError(
                        sink(relay).eventIds().size() + " of " + ids.size() + " arrived; " + status(relay), e);
            }
        }
    }

    void awaitEverything() throws Exception {
        awaitAll(installation.relays().toArray(String[]::new));
    }

    private Sink sink(String relay) {
        return sinks.get(relay);
    }

    /** Asserts that no event is lost or invented, and that the first deliveries of each key are in commit order. */
    void assertInOrder() throws Exception {
        for (String relay : installation.relays()) {
            List<String> ids = sources.get(installation.storeOf(relay)).ids();
            List<String> arrived = sink(relay).eventIds();
            List<String> first = new ArrayList<>(new LinkedHashSet<>(arrived));
            say(relay + ": " + ids.size() + " appended, " + (arrived.size() - first.size()) + " arrived twice");
            for (int key = 0; key < KEYS; key++) {
                assertThat(ofKey(first, ids, key)).as(relay).isEqualTo(ofKey(ids, ids, key));
            }
            assertThat(ids).as(relay).containsAll(first);
        }
    }

    /** Events are appended with alternating keys. */
    private static List<String> ofKey(List<String> arrived, List<String> appended, int key) {
        return arrived.stream().filter(id -> appended.indexOf(id) % KEYS == key).toList();
    }

    /** The holder of each relay's lease. */
    /** A relay that one process is handing over to another has no lease for a moment. */
    Map<String, RelayStatus.Lease> awaitAllLeases() {
        Map<String, RelayStatus.Lease> held = new LinkedHashMap<>();
        Await.until("all five relays have a lease", () -> {
            held.clear();
            held.putAll(leases());
            return held.size() == 5;
        });
        return held;
    }

    Map<String, RelayStatus.Lease> leases() {
        Map<String, RelayStatus.Lease> leases = new LinkedHashMap<>();
        for (String relay : installation.relays()) {
            status(relay).flatMap(RelayStatus::lease).ifPresent(held -> leases.put(relay, held));
        }
        return leases;
    }

    private Optional<RelayStatus> status(String relay) {
        return installation.admin(installation.storeOf(relay)).relays().stream()
                .filter(status -> status.name().equals(relay))
                .findFirst();
    }

    void say(String what) {
        System.out.printf(
                "trial %s %s: %s%n", run, LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS), what);
    }

    @Override
    public void close() {
        children.forEach(RelayChild::close);
        installation.close();
    }
}
