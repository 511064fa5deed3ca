package dev.waybill.bench;

import dev.waybill.embedded.KafkaServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL with an empty journal, fsync on, and Kafka with one topic. */
final class Servers implements AutoCloseable {
    static final String TOPIC = "bench";
    static final int PARTITIONS = 8;

    private final JournalDatabase journal;
    private final KafkaServer kafka;

    private Servers(JournalDatabase journal, KafkaServer kafka) throws InterruptedException {
        this.journal = journal;
        this.kafka = kafka;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not make the topic " + TOPIC + ": " + e.getMessage(), e);
        }
    }

    static Servers start() throws SQLException, InterruptedException {
        JournalDatabase journal = JournalDatabase.start();
        try {
            Progress.say("starting Kafka …");
            KafkaServer kafka = KafkaServer.start();
            try {
                return new Servers(journal, kafka);
            } catch (InterruptedException | RuntimeException e) {
                kafka.close();
                throw e;
            }
        } catch (InterruptedException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    JournalDatabase journal() {
        return journal;
    }

    static DataSource dataSource(String jdbcUrl) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl);
        return source;
    }

    String jdbcUrl() {
        return journal.jdbcUrl();
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    @Override
    public void close() {
        kafka.close();
        journal.close();
    }
}
