package dev.waybill.bench.servers;

import dev.waybill.embedded.KafkaServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL with an empty journal and empty outbox tables, fsync on, and Kafka with one topic. */
public final class Servers implements AutoCloseable {
    public static final String TOPIC = "bench";
    public static final int PARTITIONS = 8;

    private final BenchDatabase database;
    private final KafkaServer kafka;
    private final Links links;

    private Servers(BenchDatabase database, KafkaServer kafka, Links links) throws InterruptedException {
        this.database = database;
        this.kafka = kafka;
        this.links = links;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not create the topic " + TOPIC + ": " + e.getMessage(), e);
        }
    }

    public static Servers start() throws SQLException, InterruptedException {
        return start(Distance.NONE);
    }

    public static Servers start(Distance distance) throws SQLException, InterruptedException {
        BenchDatabase database = BenchDatabase.start();
        try {
            Progress.say("starting Kafka …");
            Links links = new Links(distance, database.port());
            KafkaServer kafka = KafkaServer.start(links.brokerSettings());
            links.forwardTo(kafka.bootstrapServers());
            try {
                return new Servers(database, kafka, links);
            } catch (InterruptedException | RuntimeException e) {
                kafka.close();
                throw e;
            }
        } catch (InterruptedException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    public static DataSource dataSource(String jdbcUrl) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl);
        return source;
    }

    public String jdbcUrl() {
        return links.jdbcUrl(database.jdbcUrl());
    }

    public long postmaster() {
        return database.postmaster();
    }

    /** Whether one of them is behind a slower link. */
    public boolean areFar() {
        return links.any();
    }

    /** Round trips to the database over the link, if there is one. */
    public long roundTrips() {
        return links.roundTrips();
    }

    public String bootstrapServers() {
        return links.bootstrapServers(kafka.bootstrapServers());
    }

    @Override
    public void close() {
        links.close();
        kafka.close();
        database.close();
    }
}
