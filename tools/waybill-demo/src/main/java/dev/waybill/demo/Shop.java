package dev.waybill.demo;

import dev.waybill.admin.StoreAdmin;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.server.config.Installation;
import dev.waybill.server.process.RunningProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.sql.DataSource;

/** The servers, the schema, and a process that relays between them and has a console. */
final class Shop implements AutoCloseable {
    static final String STORE = "orders";
    static final String RELAY = "orders-to-kafka";

    /** An unavailable Kafka is noticed sooner than by default, for people who watch. */
    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              orders: { type: postgres-journal, url: "%s" }
            destinations:
              kafka:
                type: kafka
                properties: { bootstrap.servers: "%s" }
                delivery-timeout: 5s
            relays:
              orders-to-kafka: { store: orders, destination: kafka, format: envelope, source: order-service }
            """;

    /** What was opened so far, latest first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final PostgresServer postgres;
    private final KafkaServer kafka;
    private final String database;
    private final Installation installation;
    private final RunningProcess process;

    private Shop() throws SQLException, IOException {
        boolean complete = false;
        try {
            DemoFolder folder = toClose(DemoFolder.create());
            this.postgres = toClose(PostgresServer.start());
            this.kafka = toClose(KafkaServer.start());
            this.database = postgres.createDatabase("shop");
            createTables();
            this.installation = Installation.read(Files.writeString(
                    folder.path().resolve("waybill.yaml"),
                    CONFIGURATION.formatted(jdbcUrl(), kafka.bootstrapServers())));
            this.process = toClose(RunningProcess.start(installation));
            Troubles troubles = toClose(new Troubles(kafka, dataSource(), console()));
            toClose(ControlSocket.open(folder, troubles));
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    static Shop open() throws SQLException, IOException {
        say("starting PostgreSQL (fsync on) and Kafka …");
        return new Shop();
    }

    private <T extends AutoCloseable> T toClose(T resource) {
        opened.push(resource);
        return resource;
    }

    private void createTables() throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            JournalSchema.create(connection);
            statement.execute(OrderService.SCHEMA);
        }
    }

    static void say(String what) {
        System.out.println("waybill demo: " + what);
    }

    DataSource dataSource() {
        return postgres.dataSource(database);
    }

    String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    /** Where people open the console. */
    String console() {
        return process.consoleAddress();
    }

    StoreAdmin admin() {
        return installation.admin(STORE);
    }

    RelayStatistics statistics() {
        return process.relay(RELAY)
                .orElseThrow(
                        () -> new IllegalStateException("The relay " + RELAY + " did not start: see the log above."))
                .statistics();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                say("closing failed: " + e.getMessage());
            }
        }
    }
}
