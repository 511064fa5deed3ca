package dev.waybill.demo;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import javax.sql.DataSource;

/** The servers, the schema, and the relay between them. */
final class Shop implements AutoCloseable {
    static final String RELAY = "orders-to-kafka";

    /** What was opened so far, latest first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final PostgresServer postgres;
    private final KafkaServer kafka;
    private final String database;
    private final PostgresJournal journal;
    private final Relay relay;

    private Shop() throws SQLException {
        boolean complete = false;
        try {
            this.postgres = toClose(PostgresServer.start());
            this.kafka = toClose(KafkaServer.start());
            this.database = postgres.createDatabase("shop");
            createTables();
            this.journal = PostgresJournal.on(dataSource());
            KafkaDestination destination =
                    toClose(KafkaDestination.connect(Map.of("bootstrap.servers", kafka.bootstrapServers())));
            this.relay = toClose(Relay.start(
                    RelayPlan.named(RELAY).from(journal).to(destination).format(Format.envelope("order-service"))));
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    static Shop open() throws SQLException {
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

    PostgresJournal journal() {
        return journal;
    }

    Relay relay() {
        return relay;
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
