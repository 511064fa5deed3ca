package dev.waybill.demo;

import dev.waybill.embedded.KafkaServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** Breaks parts of the demo for a while. */
final class Troubles implements AutoCloseable {
    /** Not a type of the order service: a judge does not expect it in Kafka. */
    static final String POISON_TYPE = "order.catalogue.imported.v1";

    /** More than Kafka takes by default. The outbox refuses it; an INSERT by another service does not. */
    private static final int POISON_BYTES = 2 << 20;

    private static final String POISON = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            values (?, 'Catalogue', 'catalogue-1', json_build_object('articles', repeat('x', ?)))
            returning id""";
    private static final String LOCK = "select name from waybill.relay where name = '" + Shop.RELAY + "' for update";

    private final KafkaServer kafka;
    private final DataSource database;
    private final String console;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "demo-troubles");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicBoolean kafkaStopped = new AtomicBoolean();
    private final AtomicBoolean locked = new AtomicBoolean();

    Troubles(KafkaServer kafka, DataSource database, String console) {
        this.kafka = kafka;
        this.database = database;
        this.console = console;
    }

    /**
     * @return what was done
     * @throws IllegalStateException if it is broken already, or cannot be broken
     */
    String cause(Breakage what, int seconds) {
        return switch (what) {
            case KAFKA -> stopKafka(seconds);
            case POISON -> appendPoison();
            case LOCK -> lock(seconds);
        };
    }

    private String stopKafka(int seconds) {
        if (!kafkaStopped.compareAndSet(false, true)) {
            throw new IllegalStateException("Kafka is stopped already; wait until it runs again.");
        }
        later.execute(kafka::stopBroker);
        after(seconds, this::restartKafka);
        return "Kafka on " + kafka.bootstrapServers() + " stops, and starts again in " + seconds + " s.";
    }

    private void after(int seconds, Runnable task) {
        var unused = later.schedule(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        Shop.say("what was broken stays broken, so end the demo: " + e.getMessage());
                    }
                },
                seconds,
                TimeUnit.SECONDS);
    }

    private void restartKafka() {
        kafka.restartBroker();
        kafkaStopped.set(false);
    }

    private String appendPoison() {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(POISON)) {
            statement.setString(1, POISON_TYPE);
            statement.setInt(2, POISON_BYTES);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return "An event of 2 MiB is appended, which is more than Kafka takes: " + console + "events/"
                        + Shop.STORE + "/" + row.getString(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The event is not appended: " + e.getMessage(), e);
        }
    }

    private String lock(int seconds) {
        if (!locked.compareAndSet(false, true)) {
            throw new IllegalStateException("The lock is held already; wait until it is released.");
        }
        try {
            Connection connection = database.getConnection();
            try (Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(LOCK);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
            after(seconds, () -> release(connection));
        } catch (SQLException e) {
            locked.set(false);
            throw new IllegalStateException("The lock is not taken: " + e.getMessage(), e);
        }
        return "A transaction holds a lock on the row of " + Shop.RELAY + " in waybill.relay for " + seconds + " s.";
    }

    /** Closing rolls back, which releases the lock. */
    private void release(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            Shop.say("the connection that held the lock was lost: " + e.getMessage());
        }
        locked.set(false);
    }

    /** What is still broken ends with the servers. */
    @Override
    public void close() {
        later.shutdownNow();
    }
}
