package dev.waybill.bench;

import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.WakeSignal;
import dev.waybill.bench.servers.Servers;
import dev.waybill.format.Format;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Appends at a steady rate and records the time of every commit and every arrival, by one clock. */
final class LatencyRun {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Events of the start wait until the relay is connected, and do not count. */
    private static final int WARM_UP_SECONDS = 2;

    private final Servers servers;
    private final int rate;
    private final boolean exactlyOnce;
    private int runs;

    LatencyRun(Servers servers, int rate, boolean exactlyOnce) {
        this.servers = servers;
        this.rate = rate;
        this.exactlyOnce = exactlyOnce;
    }

    Latencies measure(int seconds, boolean signal) throws SQLException, InterruptedException {
        DataSource dataSource = Servers.dataSource(servers.jdbcUrl());
        int warmUp = rate * WARM_UP_SECONDS;
        int events = warmUp + rate * seconds;
        WakeSignal appended = WakeSignal.create();
        PostgresJournal journal =
                PostgresJournal.on(dataSource, JournalOptions.defaults().start(JournalOptions.Start.NOW));
        try (KafkaDestination destination =
                        KafkaDestination.of(Map.of("bootstrap.servers", servers.bootstrapServers()));
                Relay relay = start(Relay.named("latency-" + ++runs)
                        .from(journal)
                        .to(destination)
                        .route(Route.fixed(Servers.TOPIC))
                        .format(Format.envelope("bench"))
                        .wake(appended));
                Arrivals arrivals = new Arrivals(servers.bootstrapServers(), events)) {
            while (relay.statistics().sessions() == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            OutboxOptions options = signal ? OutboxOptions.defaults().wake(appended) : OutboxOptions.defaults();
            Map<String, Long> committed = append(dataSource, JdbcOutbox.journal(options), events);
            Map<String, Long> arrived = arrivals.await();
            return new Latencies(committed.entrySet().stream()
                    .skip(warmUp)
                    .mapToLong(commit -> arrived.getOrDefault(commit.getKey(), Long.MAX_VALUE) - commit.getValue())
                    .toArray());
        }
    }

    private Relay start(RelayPlan plan) {
        return (exactlyOnce ? plan.exactlyOnce() : plan).start();
    }

    private Map<String, Long> append(DataSource dataSource, JdbcOutbox outbox, int events) throws SQLException {
        Map<String, Long> committed = new LinkedHashMap<>();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            long begun = System.nanoTime();
            for (int i = 0; i < events; i++) {
                String id = EventIds.next();
                outbox.append(
                        connection,
                        Event.of("bench.latency.v1")
                                .aggregate("Order", "order-" + i % 500)
                                .payload(Payload.json("{\"n\":" + i + "}"))
                                .id(id));
                connection.commit();
                committed.put(id, System.nanoTime());
                LockSupport.parkNanos(begun + TimeUnit.SECONDS.toNanos(i + 1L) / rate - System.nanoTime());
            }
        }
        return committed;
    }

    /** A consumer that records when each event arrived. */
    private static final class Arrivals implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Map<String, Long> arrived = new HashMap<>();
        private final Thread thread;
        private final int expected;

        Arrivals(String bootstrapServers, int expected) {
            this.expected = expected;
            this.consumer = new KafkaConsumer<>(
                    Map.of(
                            "bootstrap.servers",
                            bootstrapServers,
                            "fetch.max.wait.ms",
                            "500",
                            "isolation.level",
                            "read_committed"),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
            List<TopicPartition> partitions = IntStream.range(0, Servers.PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(Servers.TOPIC, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
            this.thread = new Thread(this::read, "bench-consumer");
            thread.start();
        }

        private void read() {
            while (arrived.size() < expected && !Thread.currentThread().isInterrupted()) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> arrived.put(
                                new String(
                                        record.headers().lastHeader("event-id").value(), StandardCharsets.UTF_8),
                                System.nanoTime()));
            }
        }

        Map<String, Long> await() throws InterruptedException {
            thread.join(PATIENCE.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join();
                throw new IllegalStateException("Of " + expected + " events " + arrived.size() + " arrived within "
                        + PATIENCE.toSeconds() + " s.");
            }
            return arrived;
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            consumer.close();
        }
    }
}
