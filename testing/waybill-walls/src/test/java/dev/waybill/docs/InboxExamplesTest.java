package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Inbox;
import dev.waybill.Incoming;
import dev.waybill.NoTransaction;
import dev.waybill.Transactions;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.DependencyUnavailableException;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.inbox.SendBack;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.redis.RedisInbox;
import dev.waybill.redis.RedisInboxOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Runs the Java examples of the inbox page. */
class InboxExamplesTest {
    private static PostgresServer postgres;
    private static KafkaServer kafka;

    private final Stock stock = new Stock();
    private final Notices notices = new Notices();
    private final DataSource dataSource = postgres.dataSource(postgres.createDatabase("inbox"));
    private final Map<String, String> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());

    /** Stand-in for an application with effects outside of a database. */
    private static final class Notices {
        private String last = "";

        void write(ReceivedEvent event) {
            last = event.id();
        }
    }

    /** Stand-in for the application. */
    private static final class Stock {
        private boolean broken;

        boolean isOpen() {
            return !broken;
        }

        void take(Connection connection, ReceivedEvent event) throws SQLException {
            if (broken) {
                throw new PermanentFailureException("Validation failed: product not found");
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into taken values ('" + event.id() + "')");
            }
        }

        void take(Connection connection, String eventId) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into taken values ('" + eventId + "')");
            }
        }
    }

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
        kafka = KafkaServer.start();
    }

    @AfterAll
    static void stop() {
        kafka.close();
        postgres.close();
    }

    @Test
    void a_consumer_handles_once_and_a_dead_letter_comes_back() throws Exception {
        execute("create table taken (event_id text)");
        send(
                "order.order.placed.v1",
                "o-7",
                "{\"eventId\":\"e-1\",\"eventType\":\"order.order.placed.v1\",\"data\":{}}");
        stock.broken = true;
        // snippet: inbox-consumer
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        try (Connection connection = dataSource.getConnection()) {
            inbox.create(connection);
        }
        KafkaDestination deadLetters = KafkaDestination.of(KafkaOptions.of(properties));
        EventConsumer consumer = EventConsumer.named("inventory-service", inbox, JdbcTransactions.on(dataSource))
                .from(
                        KafkaSource.of(properties, "inventory-service", List.of("order.order.placed.v1")),
                        MessageReader.envelope())
                .on("order.order.placed.v1", (connection, event) -> stock.take(connection, event))
                .deadLettersTo(deadLetters)
                .start();
        // end
        try (deadLetters;
                consumer) {
            await(() -> consumer.statistics().dead() == 1);
            stock.broken = false;
            // snippet: inbox-send-back
            try (KafkaDeadLetters box = KafkaDeadLetters.of(properties, KafkaOptions.of(properties))) {
                List<DeadLetterEntry> letters = box.list("order.order.placed.v1.dlt", 1_000);
                SendBack.of(box, 100).run(letters, new Actor("anna", "product is there now"), () -> true);
            }
            // end
            await(() -> consumer.statistics().handled() == 1);
        }
    }

    @Test
    void the_inbox_serves_in_somebodys_own_listener() throws Exception {
        execute("create table taken (event_id text)");
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        try (Connection connection = dataSource.getConnection()) {
            inbox.create(connection);
        }
        for (Class<?> expected : List.of(Inbox.Outcome.Handled.class, Inbox.Outcome.Duplicate.class)) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                String eventId = "e-1";
                // snippet: inbox-alone
                Inbox.Outcome outcome = inbox.handleOnce(
                        connection,
                        "inventory-service",
                        Incoming.event(eventId),
                        transaction -> stock.take(transaction, eventId));
                // end
                connection.commit();
                assertThat(outcome).isInstanceOf(expected);
            }
        }
    }

    @Test
    void versions_and_batches_are_a_matter_of_the_plan() {
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        // snippet: inbox-versions
        ConsumerPlan<Connection> plan = EventConsumer.named("cards", inbox, JdbcTransactions.on(dataSource))
                .inBatches("user.changed", (connection, event) -> stock.take(connection, event))
                .onlyNewer(event -> event.aggregateId()
                        .flatMap(id -> event.header("entity-version")
                                .map(version -> new Incoming.EntityVersion(id, Long.parseLong(version)))));
        // end
        assertThat(Optional.of(plan)).isPresent();
    }

    @Test
    void what_is_away_is_waited_for() {
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        // snippet: inbox-away
        ConsumerPlan<Connection> plan = EventConsumer.named("invoices", inbox, JdbcTransactions.on(dataSource))
                .unavailableWhen(thrown -> thrown instanceof RejectedExecutionException)
                .on("order.order.placed.v1", (connection, event) -> {
                    if (!stock.isOpen()) {
                        throw new DependencyUnavailableException("the warehouse is closed");
                    }
                    stock.take(connection, event);
                });
        // end
        assertThat(Optional.of(plan)).isPresent();
    }

    @Test
    void a_consumer_with_an_inbox_in_redis_is_configured_by_its_environment_and_remembers_for_720_hours_by_default() {
        Map<String, String> environment = Map.of(
                "REDIS_URL", "redis://localhost:6379",
                "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", "compliance",
                "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "pf-domain-events");
        PubSubOptions options = PubSubOptions.of("demo").emulator("localhost:1");
        try (PubSubDestination deadLetters = PubSubDestination.of(options)) {
            // snippet: inbox-redis
            RedisClient redis = RedisClient.create(environment.get("REDIS_URL")); // redis://localhost:6379
            String ttl = environment.getOrDefault("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "720h");
            RedisInbox inbox = RedisInbox.on(
                    redis,
                    RedisInboxOptions.defaults()
                            .keyPattern("pf:evt:processed:{consumer}:{event}") // the default
                            .remember(Duration.parse("PT" + ttl)));
            PubSubSource subscription = PubSubSource.of(
                    options,
                    environment.get("PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION"),
                    environment.get("PACKFINDERZ_PUBSUB_DOMAIN_TOPIC"));
            ConsumerPlan<NoTransaction> plan = EventConsumer.named("compliance", inbox, Transactions.none())
                    .from(subscription, MessageReader.raw())
                    .on("license_status_changed", (none, event) -> notices.write(event))
                    .deadLettersTo(deadLetters);
            // end
            assertThat(plan).isNotNull();
            assertThat(notices.last).isEmpty();
            redis.close();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void send(String topic, String key, String value) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.<String, Object>copyOf(properties), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, key, value)).get();
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited a minute in vain").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
