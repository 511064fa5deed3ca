package dev.waybill.bench.debezium;

import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.MessageProducer;
import dev.waybill.bench.kit.SystemProcess;
import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Debezium Engine with the outbox event router: rows of an outbox table are read from the write-ahead log through a replication
 * slot. The slot is made before the backlog is written, which is then what the slot has to catch up.
 */
final class DebeziumSystem implements BenchSystem {
    private static final int BATCH = 8_192;
    private static final int QUEUE = 32_768;
    private static final int POLL_MILLIS = 1;
    /** Rows of one transaction of the backlog, as in those of the other systems. */
    private static final int CHUNK = 50_000;

    private static final String SLOT = "bench_debezium";
    private static final String END_READER =
            "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = '" + SLOT
                    + "' and active";
    private static final String DROP_SLOT =
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '" + SLOT + "'";
    private static final String OBJECT_IN_USE = "55006";
    private static final int MOST_ATTEMPTS = 100;
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final String TABLE = """
            create table if not exists debezium_outbox (
              id uuid primary key default gen_random_uuid(), aggregatetype text not null, aggregateid text not null,
              type text not null, payload text not null)""";
    private static final String APPEND = """
            insert into debezium_outbox (aggregatetype, aggregateid, type, payload)
            values ('Order', ?, 'order.order.changed.v1', ?)""";
    private static final String FILL = """
            insert into debezium_outbox (aggregatetype, aggregateid, type, payload)
            select 'Order', m.key, 'order.order.changed.v1', m.value
              from generate_series(?, ?) g
              join bench_message m on m.n = g % (select count(*) from bench_message)""";

    private final Endpoints endpoints;
    private final MessageProducer producer;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private @Nullable DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;
    private @Nullable Thread running;
    /** Used by the thread of the engine while it runs. */
    private @Nullable Sent before;

    DebeziumSystem(Endpoints endpoints) throws IOException, SQLException {
        this.endpoints = endpoints;
        this.producer = new MessageProducer(endpoints);
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            statement.execute("drop publication if exists " + SLOT);
            statement.execute("create publication " + SLOT + " for table debezium_outbox with (publish = 'insert')");
        }
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(arguments, DebeziumSystem::new);
    }

    @Override
    public String description() {
        return "pgoutput, batches of up to " + BATCH + ", queue of " + QUEUE + ", polled every " + POLL_MILLIS + " ms"
                + ", records passed on in Connect's format, each batch sent while the one before is acknowledged, offsets in memory";
    }

    @Override
    public void prepare(int events) throws SQLException {
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement();
                PreparedStatement fill = connection.prepareStatement(FILL)) {
            dropSlot(statement);
            statement.execute("truncate debezium_outbox");
            statement.execute("select pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')");
            for (int from = 0; from < events; from += CHUNK) {
                fill.setInt(1, from);
                fill.setInt(2, Math.min(events, from + CHUNK) - 1);
                fill.executeUpdate();
            }
            statement.execute("vacuum analyze debezium_outbox");
            statement.execute("checkpoint");
        }
    }

    @Override
    public void start(String topic) throws InterruptedException {
        producer.topic(topic);
        before = null;
        CountDownLatch polling = new CountDownLatch(1);
        DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> created = DebeziumEngine.create(Connect.class)
                .using(properties())
                .using(new DebeziumEngine.ConnectorCallback() {
                    @Override
                    public void pollingStarted() {
                        polling.countDown();
                    }
                })
                .using((success, message, error) -> {
                    if (!success) {
                        failure.set(String.valueOf(message));
                        polling.countDown();
                    }
                })
                .notifying(this::send)
                .build();
        engine = created;
        Thread thread = new Thread(created, "debezium");
        running = thread;
        thread.start();
        polling.await();
        String failed = failure.getAndSet(null);
        if (failed != null) {
            throw new IllegalStateException("Debezium did not start: " + failed);
        }
    }

    /** A batch that was handed to the producer. */
    private record Sent(
            List<ChangeEvent<SourceRecord, SourceRecord>> events, List<Future<RecordMetadata>> acknowledgements) {}

    /** The batch before is acknowledged while this one is sent. The last one of all is sent again after a stop, as after a crash. */
    private void send(
            List<ChangeEvent<SourceRecord, SourceRecord>> batch,
            DebeziumEngine.RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer)
            throws InterruptedException {
        List<Future<RecordMetadata>> acknowledgements = batch.stream()
                .map(event -> producer.send(
                        String.valueOf(event.value().key()),
                        String.valueOf(event.value().value())))
                .toList();
        Sent previous = before;
        before = new Sent(batch, acknowledgements);
        if (previous == null) {
            return;
        }
        try {
            for (int i = 0; i < previous.events().size(); i++) {
                previous.acknowledgements().get(i).get();
                committer.markProcessed(previous.events().get(i));
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not accept a message: " + e.getCause(), e);
        }
        committer.markBatchFinished();
    }

    private Properties properties() {
        URI address = URI.create(endpoints.jdbcUrl().substring("jdbc:".length()));
        Properties properties = new Properties();
        properties.setProperty("name", SLOT);
        properties.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        properties.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        properties.setProperty("offset.flush.interval.ms", "1000");
        properties.setProperty("topic.prefix", "bench");
        properties.setProperty("database.hostname", address.getHost());
        properties.setProperty("database.port", String.valueOf(address.getPort()));
        properties.setProperty("database.dbname", address.getPath().substring(1));
        properties.setProperty("database.user", "postgres");
        properties.setProperty("database.password", "");
        properties.setProperty("plugin.name", "pgoutput");
        properties.setProperty("slot.name", SLOT);
        properties.setProperty("publication.name", SLOT);
        properties.setProperty("publication.autocreate.mode", "disabled");
        properties.setProperty("table.include.list", "public.debezium_outbox");
        properties.setProperty("snapshot.mode", "no_data");
        properties.setProperty("max.batch.size", String.valueOf(BATCH));
        properties.setProperty("max.queue.size", String.valueOf(QUEUE));
        properties.setProperty("poll.interval.ms", String.valueOf(POLL_MILLIS));
        properties.setProperty("tombstones.on.delete", "false");
        properties.setProperty("transforms", "outbox");
        properties.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        return properties;
    }

    @Override
    public void stop() throws IOException, InterruptedException, SQLException {
        DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> current = engine;
        if (current != null) {
            current.close();
        }
        Thread thread = running;
        if (thread != null) {
            thread.join();
        }
        engine = null;
        dropSlot();
    }

    /** A slot that nobody reads keeps the write-ahead log of everything else. */
    private void dropSlot() throws SQLException {
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            dropSlot(statement);
        }
    }

    /** The server may take a while to notice that the engine's connection is closed. */
    private static void dropSlot(Statement statement) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                statement.execute(DROP_SLOT);
                return;
            } catch (SQLException e) {
                if (!OBJECT_IN_USE.equals(e.getSQLState()) || attempt == MOST_ATTEMPTS) {
                    throw e;
                }
                statement.execute(END_READER);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    @Override
    public Optional<String> outbox() {
        return Optional.of("debezium_outbox");
    }

    @Override
    public Appender appender() throws SQLException {
        Connection connection = endpoints.connect();
        connection.setAutoCommit(false);
        PreparedStatement event = connection.prepareStatement(APPEND);
        return new Appender() {
            @Override
            public void append(long number) throws SQLException {
                Business.insertRow(connection, number);
                event.setString(1, Business.key(number));
                event.setString(2, Business.payload(number));
                event.executeUpdate();
                connection.commit();
            }

            @Override
            public void close() throws SQLException {
                connection.close();
            }
        };
    }

    @Override
    public void close() throws IOException, SQLException {
        DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> current = engine;
        if (current != null) {
            current.close();
        }
        producer.close();
        dropSlot();
    }
}
