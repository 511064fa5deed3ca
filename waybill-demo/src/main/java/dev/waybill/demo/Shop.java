package dev.waybill.demo;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.Format;
import dev.waybill.jdbc.JournalSchema;
import dev.waybill.jdbc.PostgresJournal;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;

/** The servers, the schema, and the relay between them. */
final class Shop implements AutoCloseable {
    static final String RELAY = "orders-to-kafka";

    private final PostgresServer postgres;
    private final KafkaServer kafka;
    private final String database;
    private final PostgresJournal journal;
    private final KafkaDestination destination;
    private final Relay relay;

    private Shop(PostgresServer postgres, KafkaServer kafka) throws SQLException {
        this.postgres = postgres;
        this.kafka = kafka;
        this.database = postgres.createDatabase("shop");
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            JournalSchema.create(connection);
            statement.execute(OrderService.SCHEMA);
        }
        this.journal = PostgresJournal.on(dataSource());
        this.destination = KafkaDestination.connect(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        this.relay = Relay.start(
                RelayPlan.named(RELAY).from(journal).to(destination).format(Format.envelope("order-service")));
    }

    static Shop open() throws SQLException {
        say("starting PostgreSQL (fsync on) and Kafka …");
        PostgresServer postgres = PostgresServer.start();
        try {
            KafkaServer kafka = KafkaServer.start();
            try {
                return new Shop(postgres, kafka);
            } catch (SQLException | RuntimeException e) {
                kafka.close();
                throw e;
            }
        } catch (SQLException | RuntimeException e) {
            postgres.close();
            throw e;
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
        relay.close();
        destination.close();
        kafka.close();
        postgres.close();
    }
}
