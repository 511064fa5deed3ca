package dev.waybill.bench;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.JournalSchema;
import dev.waybill.jdbc.TableLayout;
import dev.waybill.jdbc.TableSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL with an empty journal and an empty outbox table, fsync on, and Kafka with one topic. */
final class Servers implements AutoCloseable {
    static final String TOPIC = "bench";
    static final int PARTITIONS = 8;

    private final PostgresServer postgres;
    private final KafkaServer kafka;
    private final String database;

    private Servers(PostgresServer postgres, KafkaServer kafka) throws SQLException, InterruptedException {
        this.postgres = postgres;
        this.kafka = kafka;
        this.database = postgres.createDatabase("bench");
        try (Connection connection = dataSource(jdbcUrl()).getConnection()) {
            JournalSchema.create(connection);
            TableSchema.create(connection, TableLayout.waybill());
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not make the topic " + TOPIC + ": " + e.getMessage(), e);
        }
    }

    static Servers start() throws SQLException, InterruptedException {
        Progress.say("starting PostgreSQL (fsync on) and Kafka …");
        PostgresServer postgres = PostgresServer.start(Map.of("shared_buffers", "512MB", "max_wal_size", "4GB"));
        try {
            KafkaServer kafka = KafkaServer.start();
            try {
                return new Servers(postgres, kafka);
            } catch (SQLException | InterruptedException | RuntimeException e) {
                kafka.close();
                throw e;
            }
        } catch (SQLException | InterruptedException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    static DataSource dataSource(String jdbcUrl) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl);
        return source;
    }

    String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    @Override
    public void close() {
        kafka.close();
        postgres.close();
    }
}
