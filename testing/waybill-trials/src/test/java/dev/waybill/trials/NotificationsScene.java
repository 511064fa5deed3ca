package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.server.config.Installation;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * The notification producer: {@code EventOutbox} and {@code ProcessedEvent} as {@code init} creates them, plain-SQL writers,
 * {@code waybill run} with the settings of the preset, and its four queues on RabbitMQ in a virtual host of its own.
 */
final class NotificationsScene implements AutoCloseable {
    /** Aggregate types in the order in which rows are written, with the queue of each. */
    static final Map<String, String> QUEUES = new LinkedHashMap<>();

    static {
        QUEUES.put("RESTAURANT", "notification.restaurant");
        QUEUES.put("CUSTOMER", "notification.customer");
        QUEUES.put("AGENCY", "notification.agency");
        QUEUES.put("ADMIN", "notification.admin");
    }

    private static final int KEYS_OF_A_TYPE = 5;
    private static final Pattern ID = Pattern.compile("\\{\"event_id\":\"evt-(\\d+)\"");
    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              events: { type: table, url: "URL", layout: notifications, competing: COMPETING, guard: ProcessedEvent }
            destinations:
              rabbit:
                type: rabbitmq
                uri: "RABBIT"
                exchange: notifications.exchange
                topology:
                  exchanges: { notifications.exchange: topic }
                  queues:
                    notification.restaurant: {}
                    notification.customer: {}
                    notification.agency: {}
                    notification.admin: {}
                  bindings:
                    - { queue: notification.restaurant, exchange: notifications.exchange, key: notification.restaurant }
                    - { queue: notification.customer, exchange: notifications.exchange, key: notification.customer }
                    - { queue: notification.agency, exchange: notifications.exchange, key: notification.agency }
                    - { queue: notification.admin, exchange: notifications.exchange, key: notification.admin }
            relays:
              notifications:
                store: events
                destination: rabbit
                format: notification
                route:
                  aggregate-type:
                    RESTAURANT: notification.restaurant
                    CUSTOMER: notification.customer
                    AGENCY: notification.agency
                    ADMIN: notification.admin
            """;

    private final String run;
    private final TrialSql database;
    private final String uri;
    private final Path file;
    private final List<RelayChild> children = new ArrayList<>();
    private int written;

    /** A database of either kind. */
    record TrialSql(
            DataSource dataSource, String url, char quote, String utcNow, Runnable stopping, Runnable restarting) {
        String quoted(String table) {
            return quote + table + quote;
        }

        void stopImmediately() {
            stopping.run();
        }

        void restart() {
            restarting.run();
        }
    }

    NotificationsScene(String run, TrialSql database, boolean competing) throws Exception {
        this.run = run;
        this.database = database;
        RabbitServer rabbit = TrialServers.rabbit();
        rabbit.control("add_vhost", run);
        rabbit.control("set_permissions", "-p", run, "guest", ".*", ".*", ".*");
        this.uri = rabbit.uri() + "/" + run;
        this.file = Files.createDirectories(Path.of("target", "trials", run)).resolve("waybill.yaml");
        Files.writeString(
                file,
                CONFIGURATION
                        .replace("URL", database.url())
                        .replace("RABBIT", uri)
                        .replace("COMPETING", Boolean.toString(competing)));
        try (Installation installation = Installation.read(file)) {
            assertThat(installation.init("events"))
                    .contains("the table EventOutbox was created")
                    .contains("its guard ProcessedEvent is there");
        }
    }

    RelayChild start(String name) throws Exception {
        RelayChild child =
                RelayChild.startServer(run + "-" + name, Map.of(), List.of("run", file.toString(), "--log", "json"));
        children.add(child);
        child.awaitWords("1 relay runs");
        return child;
    }

    /** Writes this many rows with plain SQL, over four aggregate types and a few aggregates of each, in one order. */
    void write(int rows) throws SQLException {
        String insert = "insert into " + database.quoted("EventOutbox")
                + " (event_id, event_type, aggregate_type, aggregate_id, status, payload, created_at)"
                + " values (?, 'RESERVATION_REQUESTED', ?, ?, 'PENDING', '{\"people\": 4}', " + database.utcNow() + ")";
        List<String> types = List.copyOf(QUEUES.keySet());
        try (java.sql.Connection connection = database.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rows; i++) {
                statement.setString(1, "evt-" + written);
                statement.setString(2, types.get(written % types.size()));
                statement.setLong(3, written / types.size() % KEYS_OF_A_TYPE);
                statement.executeUpdate();
                written++;
            }
            connection.commit();
        }
    }

    int written() {
        return written;
    }

    void awaitProcessed() throws Exception {
        Await.until(
                "all rows to be processed",
                Duration.ofMinutes(5),
                () -> count("status = 'PROCESSED' and published_at is not null") == written);
    }

    long count(String condition) throws SQLException {
        return number("select count(*) from " + database.quoted("EventOutbox") + " where " + condition);
    }

    long recordedAs(String status) throws SQLException {
        return number("select count(*) from " + database.quoted("ProcessedEvent") + " where status = '" + status + "'");
    }

    private long number(String sql) throws SQLException {
        try (java.sql.Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Locks all rows, so that none can be marked, until the returned connection is closed. */
    java.sql.Connection lockRows() throws SQLException {
        java.sql.Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement
                    .executeQuery("select event_id from " + database.quoted("EventOutbox")
                            + " where status = 'PENDING' for update")
                    .close();
        }
        return connection;
    }

    Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        return factory.newConnection();
    }

    /** How many messages are ready in all queues. */
    long ready() throws Exception {
        long ready = 0;
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            for (String queue : QUEUES.values()) {
                ready += channel.messageCount(queue);
            }
        }
        return ready;
    }

    /** A listener takes messages of every queue and dies before it acknowledges them. */
    int takeAndDie() throws Exception {
        int taken = 0;
        Connection connection = connect();
        for (String queue : QUEUES.values()) {
            Channel channel = connection.createChannel();
            for (int i = 0; i < 3 && channel.basicGet(queue, false) != null; i++) {
                taken++;
            }
        }
        connection.abort();
        return taken;
    }

    /**
     * The numbers of the events on the queues, in order of arrival. The messages stay: they are not acknowledged, and ready again
     * when this returns.
     */
    Map<String, List<Integer>> arrived() throws Exception {
        Map<String, List<Integer>> found = new LinkedHashMap<>();
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            for (String queue : QUEUES.values()) {
                List<Integer> numbers = new ArrayList<>();
                for (GetResponse one = channel.basicGet(queue, false);
                        one != null;
                        one = channel.basicGet(queue, false)) {
                    numbers.add(numberOf(one.getBody()));
                }
                found.put(queue, numbers);
            }
        }
        return found;
    }

    /** The number of a message's event. */
    static int numberOf(byte[] body) {
        Matcher id = ID.matcher(new String(body, StandardCharsets.UTF_8));
        assertThat(id.find()).isTrue();
        return Integer.parseInt(id.group(1));
    }

    /**
     * Asserts that each queue has the events of its aggregate type, none lost and none of another type.
     *
     * @param inOrder whether the first deliveries of each aggregate are in the order of the rows
     * @return the numbers of the events that came more than once
     */
    Set<Integer> assertComplete(Map<String, List<Integer>> all, boolean inOrder) {
        List<String> queues = List.copyOf(QUEUES.values());
        Set<Integer> repeated = new TreeSet<>();
        for (int q = 0; q < queues.size(); q++) {
            List<Integer> arrived = all.get(queues.get(q));
            List<Integer> first = arrived.stream().distinct().toList();
            int type = q;
            List<Integer> expected = IntStream.range(0, written)
                    .filter(number -> number % queues.size() == type)
                    .boxed()
                    .toList();
            assertThat(first).as(queues.get(q)).containsExactlyInAnyOrderElementsOf(expected);
            Set<Integer> seen = new HashSet<>();
            arrived.stream().filter(number -> !seen.add(number)).forEach(repeated::add);
            Map<Integer, Integer> last = new LinkedHashMap<>();
            for (int number : inOrder ? first : List.<Integer>of()) {
                Integer before = last.put(number / queues.size() % KEYS_OF_A_TYPE, number);
                assertThat(before == null || before < number)
                        .as("%s before %s", before, number)
                        .isTrue();
            }
        }
        return repeated;
    }

    void say(String what) {
        System.out.printf(
                "trial %s %s: %s%n", run, LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS), what);
    }

    @Override
    public void close() {
        Deque<RelayChild> open = new ArrayDeque<>(children);
        while (!open.isEmpty()) {
            open.pop().close();
        }
        TrialServers.rabbit().control("delete_vhost", run);
    }
}
