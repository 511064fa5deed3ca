package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.RetryPolicy;
import dev.waybill.WakeSignal;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.Format;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.tck.memory.InMemoryDestination;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs the Java examples of the pages. The code between {@code // snippet} and {@code // end} is shown verbatim in the
 * pages.
 */
class ExamplesTest {
    private static final Orders orders = new Orders();
    private static PostgresServer server;

    private String database;
    private DataSource dataSource;
    private DataSource direct;

    record Order(String id, int total) {}

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @BeforeEach
    void createSchema() throws SQLException {
        database = server.createDatabase("examples");
        dataSource = server.dataSource(database);
        direct = dataSource;
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            JournalSchema.create(connection);
            statement.execute("create table orders (id text primary key, total int not null)");
        }
    }

    @Test
    void an_order_and_its_event_are_committed_together_and_the_event_reaches_kafka() throws SQLException {
        Order order = new Order("4711", 990);
        try (KafkaServer broker = KafkaServer.start();
                Connection tx = dataSource.getConnection()) {
            String brokers = broker.bootstrapServers();
            tx.setAutoCommit(false);
            // snippet: jdbc
            // in your transaction, on its connection: both are committed, or neither
            orders.save(tx, order);
            Event placed =
                    Event.of("order.placed.v1").aggregate("Order", order.id()).payload(Payload.jsonOf(order));
            JdbcOutbox.journal().append(tx, placed);
            tx.commit();

            // once, in this process or another
            KafkaDestination kafka = KafkaDestination.of(Map.of("bootstrap.servers", brokers));
            PostgresJournal journal = PostgresJournal.on(direct); // a DataSource of its own, to the primary
            Relay relay = Relay.named("orders").from(journal).to(kafka).start();
            // end
            try (kafka;
                    relay) {
                ConsumerRecord<String, String> message = firstOf("order.placed.v1", brokers);
                assertThat(message.key()).isEqualTo("4711");
                assertThat(message.value()).isEqualTo("{\"id\":\"4711\",\"total\":990}");
            }
        }
    }

    @Test
    void a_schema_is_created_and_granted() throws SQLException {
        execute("create role orders_app; create role orders_relay");
        // snippet: init
        try (Connection connection = dataSource.getConnection()) {
            JournalSchema.create(connection);
            JournalSchema.grant(
                    connection, DatabaseRoles.NONE.producer("orders_app").relay("orders_relay"));
        }
        // end
        execute("set role orders_app; " + INSERT);
        assertThat(claimedAs("orders_relay")).isEqualTo(1);
    }

    @Test
    void a_relay_is_tuned_and_keeps_house() throws Exception {
        InMemoryDestination kafka = new InMemoryDestination();
        // snippet: relay
        PostgresJournal journal = PostgresJournal.on(direct);
        WakeSignal appended = WakeSignal.create();
        Relay relay = Relay.named("orders-to-kafka")
                .from(journal)
                .to(kafka)
                .format(Format.envelope("order-service"))
                .options(RelayOptions.defaults()
                        .retry(RetryPolicy.defaults().retries(5).first(Duration.ofMillis(200)))
                        .onDead(RelayOptions.OnDead.HOLD)
                        .retention(Duration.ofDays(30))) // older events are deleted once every relay has published them
                .wake(appended)
                .start();
        // end
        // snippet: append-options
        OutboxOptions options = OutboxOptions.defaults()
                .lockKeys(true) // order for aggregates without a row that every writer locks
                .wake(appended); // relays with the same signal look at once
        JdbcOutbox outbox = JdbcOutbox.journal(options);
        // end
        try (relay) {
            append(outbox, "4711");
            await(() -> kafka.delivered("order.placed.v1").size() == 1);
        }
        assertThat(new String(kafka.delivered().get(0).value(), StandardCharsets.UTF_8))
                .contains("\"source\":\"order-service\"");
    }

    @Test
    void a_dead_event_is_looked_at_and_requeued() throws SQLException {
        InMemoryDestination kafka = new InMemoryDestination();
        kafka.failTopic("order.placed.v1", 1, new Delivery.Refused("too large"));
        PostgresJournal journal = PostgresJournal.on(direct);
        append(JdbcOutbox.journal(), "4711");
        try (Relay relay =
                Relay.named("orders-to-kafka").from(journal).to(kafka).start()) {
            await(() -> relay.statistics().dead() == 1);
            lists(journal.admin(), new RelayName("orders-to-kafka"));
            // snippet: requeue
            StoreAdmin admin = journal.admin();
            RelayName name = new RelayName("orders-to-kafka");
            Actor me = new Actor("ada", "the topic takes larger messages now");
            List<ParkedEvent> dead = admin.parked(ParkedQuery.of(name).in(ParkedState.DEAD));
            Selection some = Selection.of(dead.get(0).eventId()); // or Selection.all(ParkedState.DEAD)
            RequeuePreview preview = admin.previewRequeue(name, some); // preview.late(): followers have passed
            int requeued = admin.requeue(name, some, me); // or admin.discard(name, some, me)
            // end
            assertThat(preview)
                    .returns(1, RequeuePreview::found)
                    .returns(1, RequeuePreview::late)
                    .returns(true, RequeuePreview::exact);
            assertThat(requeued).isEqualTo(1);
            await(() -> kafka.delivered("order.placed.v1").size() == 1);
        }
    }

    private static void lists(StoreAdmin admin, RelayName name) {
        // snippet: events
        Instant anHourAgo = Instant.now().minus(Duration.ofHours(1));
        EventFilter filter = EventFilter.ALL.type("order.placed.v1").from(anHourAgo);
        EventListing page = admin.events(EventQuery.of(filter).in(name, EventHistory.State.DEAD));
        Optional<String> next = page.next(); // for EventQuery.after; page.lookedAt() says how far it looked
        // end
        assertThat(page.events()).hasSize(1);
        assertThat(next).isEmpty();
    }

    @Test
    void a_relay_is_paused_resumed_and_dropped() throws SQLException {
        InMemoryDestination kafka = new InMemoryDestination();
        StoreAdmin admin = PostgresJournal.on(direct).admin();
        RelayName name = new RelayName("orders-to-kafka");
        Actor me = new Actor("ada", "the consumers are being moved");
        RelayPlan plan =
                Relay.named(name.value()).from(PostgresJournal.on(direct)).to(kafka);
        try (Relay relay = plan.start()) {
            await(() -> relay.statistics().sessions() == 1);
            // snippet: pause
            admin.pause(name, me); // claims nothing more; what is out is settled
            List<RelayStatus> relays = admin.relays(); // backlog, oldest, parked, dead, who holds the lease
            admin.resume(name, me);
            // end
            assertThat(relays).singleElement().matches(RelayStatus::paused);
            append(JdbcOutbox.journal(), "4711");
            await(() -> kafka.delivered().size() == 1);
        }
        // snippet: drop
        admin.drop(name, me); // forgets its position and its parked events
        // end
        assertThat(admin.relays()).isEmpty();
    }

    @Test
    void a_journal_from_another_cluster_is_adopted() throws SQLException {
        append(JdbcOutbox.journal(), "4711");
        assertThat(claimedAs("postgres")).isEqualTo(1);
        execute("update waybill.relay set system_id = 'another'");
        assertThatThrownBy(() -> claimedAs("postgres")).isInstanceOf(StoreRefusedException.class);
        // snippet: adopt
        int relays = PostgresJournal.on(direct).adopt(new Actor("ada", "restored from the backup of Monday"));
        // end
        assertThat(relays).isEqualTo(1);
        assertThat(claimedAs("postgres")).isEqualTo(1);
    }

    @Test
    void a_relay_waits_for_the_flush_and_starts_now() throws SQLException {
        append(JdbcOutbox.journal(), "old");
        InMemoryDestination kafka = new InMemoryDestination();
        // snippet: journal-options
        PostgresJournal journal = PostgresJournal.on(
                direct,
                JournalOptions.defaults()
                        .waitFor(WaitFor.FLUSH) // publish only what is on disk, also with synchronous_commit = off
                        .start(JournalOptions.Start.NOW)); // a new relay skips what is there already
        // end
        try (Relay relay = Relay.named("second").from(journal).to(kafka).start()) {
            await(() -> relay.statistics().sessions() == 1);
            append(JdbcOutbox.journal(), "new");
            await(() -> !kafka.delivered().isEmpty());
        }
        assertThat(kafka.delivered())
                .singleElement()
                .satisfies(message -> assertThat(message.event().orderKey()).hasToString("Order:new"));
    }

    private static final String INSERT = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            values ('order.placed.v1', 'Order', '4711', '{}')""";

    static final class Orders {
        void save(Connection tx, Order order) throws SQLException {
            try (PreparedStatement insert = tx.prepareStatement("insert into orders values (?, ?)")) {
                insert.setString(1, order.id());
                insert.setInt(2, order.total());
                insert.executeUpdate();
            }
        }
    }

    private void append(JdbcOutbox outbox, String orderId) throws SQLException {
        try (Connection tx = dataSource.getConnection()) {
            tx.setAutoCommit(false);
            outbox.append(
                    tx, Event.of("order.placed.v1").aggregate("Order", orderId).payload(Payload.json("{}")));
            tx.commit();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Number of events that a new session of the role claims; it settles none. */
    private int claimedAs(String role) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl(database) + "&options=-c%20role=" + role);
        try (RelaySession session = PostgresJournal.on(source)
                .open(new RelayName("looking"), OwnerId.unique("test"), Duration.ofSeconds(5))
                .orElseThrow()) {
            return session.claim(new Limits(10, 1_000))
                    .map(batch -> batch.events().size())
                    .orElse(0);
        }
    }

    private static ConsumerRecord<String, String> firstOf(String topic, String brokers) {
        Map<String, Object> properties = Map.of("bootstrap.servers", brokers, "auto.offset.reset", "earliest");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            await(() -> !consumer.partitionsFor(topic).isEmpty());
            consumer.assign(consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList());
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            await(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return !records.isEmpty();
            });
            return records.get(0);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds beyond the deadline")
                    .isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
