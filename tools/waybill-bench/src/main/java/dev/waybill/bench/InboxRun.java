package dev.waybill.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.EventIds;
import dev.waybill.Inbox;
import dev.waybill.Incoming;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic full of events, and a consumer that updates the stock for each. */
final class InboxRun implements AutoCloseable {
    static final int KEYS = 2_000;
    static final ConsumerOptions OPTIONS = ConsumerOptions.defaults().held(2_000);

    private static final String TYPE = "order.placed.v1";
    private static final String STOCK = """
            create table stock (product text primary key, amount bigint not null);
            insert into stock select 'product-' || n, 1000000 from generate_series(0, 1999) n""";
    private static final String TAKE = "update stock set amount = amount - 1 where product = ?";

    private final Servers servers;
    private final int events;
    private final HikariDataSource pool;
    private final JdbcInbox inbox;
    private final KafkaDestination deadLetters;
    private int runs;

    /** One transaction per event or per batch, with or without the inbox. */
    enum Way {
        SINGLE_NONE("one by one, no inbox", false, false),
        SINGLE_INBOX("one by one, inbox", false, true),
        BATCHES_NONE("in batches, no inbox", true, false),
        BATCHES_INBOX("in batches, inbox", true, true);

        final String words;
        final boolean batches;
        final boolean inbox;

        Way(String words, boolean batches, boolean inbox) {
            this.words = words;
            this.batches = batches;
            this.inbox = inbox;
        }
    }

    /** The result of one run. */
    record Figures(double rate, double commitsPerEvent) {
        private static Figures median(List<Figures> measured) {
            return measured.stream()
                    .sorted(Comparator.comparingDouble(Figures::rate))
                    .toList()
                    .get(measured.size() / 2);
        }
    }

    InboxRun(Servers servers, int events) throws SQLException, InterruptedException {
        this.servers = servers;
        this.events = events;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(servers.jdbcUrl());
        config.setMaximumPoolSize(OPTIONS.workers());
        this.pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(STOCK);
            this.inbox = JdbcInbox.of(InboxLayout.waybill());
            inbox.create(connection);
        }
        this.deadLetters = KafkaDestination.of(KafkaOptions.of(kafka()));
        fill();
    }

    private Map<String, String> kafka() {
        return Map.of("bootstrap.servers", servers.bootstrapServers());
    }

    private void fill() throws InterruptedException {
        List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                KafkaOptions.of(kafka()).producerProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < events; i++) {
                String product = "product-" + i % KEYS;
                String envelope = "{\"eventId\":\"" + EventIds.next() + "\",\"eventType\":\"" + TYPE + "\",\"data\":\""
                        + product + "\"}";
                acknowledgements.add(
                        producer.send(new ProducerRecord<>(Servers.TOPIC, bytes(product), bytes(envelope))));
            }
            for (Future<RecordMetadata> acknowledgement : acknowledgements) {
                acknowledgement.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not accept the events: " + e.getMessage(), e);
        }
    }

    /** Medians of all ways, in turns and every second round in reverse order, after one round to warm up. */
    Map<Way, Figures> inTurns(int rounds) {
        Map<Way, List<Figures>> figures = new EnumMap<>(Way.class);
        for (int round = 0; round <= rounds; round++) {
            List<Way> order = new ArrayList<>(List.of(Way.values()));
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (Way way : order) {
                Figures measured = measure(way);
                Progress.say(
                        "%s: %-24s %,8.0f/s",
                        round == 0 ? "warm-up" : round + " of " + rounds, way.words, measured.rate());
                if (round > 0) {
                    figures.computeIfAbsent(way, w -> new ArrayList<>()).add(measured);
                }
            }
        }
        Map<Way, Figures> medians = new EnumMap<>(Way.class);
        figures.forEach((way, measured) -> medians.put(way, Figures.median(measured)));
        return medians;
    }

    /** Consumes everything from the beginning, with a new consumer group. */
    private Figures measure(Way way) {
        String name = "bench-" + ++runs;
        ConsumerPlan<Connection> plan = EventConsumer.named(
                        name, way.inbox ? inbox : new NoInbox(), JdbcTransactions.on(pool))
                .from(KafkaSource.of(kafka(), name, List.of(Servers.TOPIC)), MessageReader.envelope())
                .deadLettersTo(deadLetters)
                .options(OPTIONS);
        ConsumerPlan<Connection> handling =
                way.batches ? plan.inBatches(TYPE, InboxRun::take) : plan.on(TYPE, InboxRun::take);
        try (EventConsumer consumer = handling.start()) {
            // Measured from the first effect on, since joining the group takes seconds.
            await(consumer, 1);
            long alreadyDone = consumer.statistics().handled();
            long begun = System.nanoTime();
            await(consumer, events);
            double seconds = (System.nanoTime() - begun) / 1e9;
            return new Figures(
                    (events - alreadyDone) / seconds,
                    (double) consumer.statistics().commits() / events);
        }
    }

    private static void await(EventConsumer consumer, int handled) {
        while (consumer.statistics().handled() < handled) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static void take(Connection connection, ReceivedEvent event) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(TAKE)) {
            update.setString(1, event.dataText().replace("\"", ""));
            update.executeUpdate();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** An inbox that records nothing. */
    private static final class NoInbox implements Inbox<Connection> {
        @Override
        public <E extends Exception> Outcome handleOnce(
                Connection transaction, String consumer, Incoming event, Effect<Connection, E> effect) throws E {
            effect.apply(transaction);
            return Outcome.HANDLED;
        }
    }

    @Override
    public void close() {
        deadLetters.close();
        pool.close();
    }
}
