package dev.waybill.console;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.config.Installation;
import dev.waybill.server.process.RunningProcess;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * PostgreSQL, Kafka and a process with two relays, shared by the tests of the module; they end with the JVM. Topics are not
 * created by themselves: an event whose topic does not exist is dead at once.
 */
final class Scene {
    static final String STORE = "orders";
    static final String RELAY = "orders-to-kafka";
    static final String OTHER_RELAY = "audit-to-kafka";

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String FILE = """
            server: { port: %1$d, %4$s }
            stores:
              orders: { type: postgres-journal, url: "%2$s" }
            destinations:
              kafka:
                type: kafka
                properties: { bootstrap.servers: "%3$s" }
                topic-timeout: 300ms
                delivery-timeout: 2s
            %5$s""";
    private static final String RELAYS = """
            relays:
              orders-to-kafka:
                store: orders
                destination: kafka
                poll: { interval: 20ms, max-idle: 100ms }
                retry: { retries: 0, first: 10ms }
              audit-to-kafka:
                store: orders
                destination: kafka
                poll: { interval: 20ms, max-idle: 100ms }
                retry: { retries: 0, first: 10ms }
            """;

    private final KafkaServer kafka;
    private final Admin admin;
    private final String database;
    private final RunningProcess process;
    private final int port;

    private static final class Shared {
        private static final Scene SCENE = start();
    }

    private Scene() throws Exception {
        kafka = KafkaServer.start(Map.of("auto.create.topics.enable", "false"));
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        database = SharedPostgres.server().createDatabase("console");
        try (Connection connection = dataSource().getConnection()) {
            JournalSchema.create(connection);
        }
        port = FreePort.choose();
        process = run(port, "not-ready-after: 1d", RELAYS);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-of-scene"));
    }

    private static Scene start() {
        try {
            return new Scene();
        } catch (Exception e) {
            throw new IllegalStateException("The servers and the process for the tests do not start.", e);
        }
    }

    static Scene shared() {
        return Shared.SCENE;
    }

    private void close() {
        process.close();
        admin.close();
        kafka.close();
    }

    /** What is done while another process runs. */
    interface Doing {
        void run() throws Exception;
    }

    /** With another process that stands by for the same relays. */
    void withAnother(int itsPort, String server, Doing doing) throws Exception {
        with(run(itsPort, server, RELAYS), doing);
    }

    /** With another process that has one more relay. */
    void withRelay(int itsPort, String relay, Doing doing) throws Exception {
        String more = "  " + relay + ": { store: orders, destination: kafka }\n";
        with(run(itsPort, "not-ready-after: 1d", RELAYS + more), doing);
    }

    private static void with(RunningProcess other, Doing doing) throws Exception {
        try {
            doing.run();
        } finally {
            other.close();
        }
    }

    private RunningProcess run(int itsPort, String server, String relays) throws IOException {
        Path file = Files.createTempFile("waybill-console", ".yaml");
        Files.writeString(
                file,
                FILE.formatted(
                        itsPort, SharedPostgres.server().jdbcUrl(database), kafka.bootstrapServers(), server, relays));
        return RunningProcess.start(Installation.read(file));
    }

    KafkaServer kafka() {
        return kafka;
    }

    String address(String path) {
        return address(port, path);
    }

    static String address(int port, String path) {
        return "http://127.0.0.1:" + port + "/ui/" + path;
    }

    private DataSource dataSource() {
        return SharedPostgres.server().dataSource(database);
    }

    static String unused(String name) {
        return name + "-" + NUMBER.incrementAndGet();
    }

    String createTopic(String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        return name;
    }

    long messagesIn(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("The end of " + topic + " cannot be read.", e);
        }
    }

    /** Appends events and waits until they are dead in both relays. */
    void appendDead(String type, int count) throws SQLException {
        append(type, count, "{\"n\": 1}");
        Await.until(
                "all are dead",
                () -> number(
                                "select count(*) from waybill.parked p join waybill.event e using (seq) where e.type = ?"
                                        + " and p.state = 'dead'",
                                type)
                        == 2L * count);
    }

    void append(String type, int count, String payload) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                                + " select ?, 'Order', ? || i, ?::json from generate_series(1, ?) i")) {
            statement.setString(1, type);
            statement.setString(2, type + "/");
            statement.setString(3, payload);
            statement.setInt(4, count);
            statement.executeUpdate();
        }
    }

    String idOf(String type) throws SQLException {
        return text("select min(id::text) from waybill.event where type = ?", type);
    }

    long number(String sql, String... parameters) throws SQLException {
        return Long.parseLong(text(sql, parameters));
    }

    String text(String sql, String... parameters) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement statement = prepared(connection, sql, parameters);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    void execute(String sql, String... parameters) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement statement = prepared(connection, sql, parameters)) {
            statement.execute();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, String... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setString(i + 1, parameters[i]);
        }
        return statement;
    }

    /** The events of a type in a relay of their own: the first waits for a retry, and the others wait behind it. */
    void parkBehindTheFirst(String type) throws SQLException {
        addStoppedRelay("old-behind");
        execute(
                "insert into waybill.parked (relay, seq, key, state, error, next_attempt_at)"
                        + " select 'old-behind', seq, '00000000-0000-4000-8000-000000000001',"
                        + " case n when 1 then 'due' else 'waiting' end, case n when 1 then 'no' end,"
                        + " case n when 1 then clock_timestamp() + interval '1 hour' end"
                        + " from (select seq, row_number() over (order by seq) n from waybill.event where type = ?) e",
                type);
    }

    String idOfFirst(String type) throws SQLException {
        return text("select id from waybill.event where type = ? order by seq limit 1", type);
    }

    /** A relay that once ran, made from the row of another one. */
    void addStoppedRelay(String name) throws SQLException {
        Await.until(
                "the other one has run", () -> number("select count(*) from waybill.relay where name = ?", RELAY) == 1);
        execute(
                "insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)"
                        + " select ?, system_id, base, base_next, base_floor, seq from waybill.relay where name = '"
                        + RELAY
                        + "'",
                name);
        execute("insert into waybill.lease (relay) values (?)", name);
    }

    /** That no process runs. */
    void startReplay(String name) {
        PostgresJournal.on(dataSource())
                .replays()
                .start(new RelayName(name), ReplayQuery.EVERYTHING, new Actor("anna", "index rebuilt"));
    }

    void sendLetter(String topic, String origin, String error, String consumer) throws Exception {
        sendLetters(1, topic, origin, error, consumer);
    }

    void sendLetters(int count, String topic, String origin, String error, String consumer) throws Exception {
        byte[] original = "{\"n\": 1}".getBytes(StandardCharsets.UTF_8);
        DeadLetterBody letter = new DeadLetterBody(Optional.of("evt-1"), original, error, Instant.now(), consumer);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, letter.toJson());
                message.headers().add(HeaderNames.DEAD_LETTER_TOPIC, origin.getBytes(StandardCharsets.UTF_8));
                var unused = producer.send(message);
            }
            producer.flush();
        }
    }
}
