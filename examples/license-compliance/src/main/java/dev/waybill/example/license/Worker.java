package dev.waybill.example.license;

import dev.waybill.NoTransaction;
import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.redis.RedisInbox;
import dev.waybill.redis.RedisInboxOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import redis.clients.jedis.RedisClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A consumer of license events: {@code compliance} writes notices for admins and stores, {@code search} keeps an index. Each has its
 * own subscription, and its own keys in Redis.
 *
 * <p>Redis and PostgreSQL do not commit together: a worker that dies between its effect and the key does the effect again. The
 * unique event id in both tables makes that harmless.
 */
public final class Worker {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NOTICE = """
            insert into notifications (type, audience, store_id, link, reason, event_id) values ('compliance', ?, ?, ?, ?, ?)
            on conflict (event_id) do nothing""";
    private static final String INDEX = """
            insert into license_index (license_id, status, event_id) values (?, ?, ?) on conflict (event_id) do nothing""";

    private final DataSource database;

    private Worker(DataSource database) {
        this.database = database;
    }

    /** The argument is the name of the consumer. */
    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        Map<String, String> environment = System.getenv();
        Worker worker = new Worker(Databases.open(required("DATABASE_URL"), "notices.sql"));
        RedisClient redis = RedisClient.create(required("REDIS_URL"));
        Duration remembered =
                Duration.parse("PT" + environment.getOrDefault("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "720h"));
        // A worker that dies at work is replaced after ten seconds, not after the default of a minute.
        RedisInbox inbox = RedisInbox.on(
                redis, RedisInboxOptions.defaults().remember(remembered).atWork(Duration.ofSeconds(10)));
        PubSubOptions pubSub =
                PubSubOptions.of(required("GOOGLE_CLOUD_PROJECT")).emulator(required("PUBSUB_EMULATOR_HOST"));
        PubSubDestination deadLetters = PubSubDestination.of(pubSub);
        EventConsumer consumer = EventConsumer.named(name, inbox, Transactions.none())
                .from(
                        PubSubSource.of(
                                        pubSub,
                                        required("PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION"),
                                        environment.getOrDefault("PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "pf-domain-events"))
                                .ackDeadline(Duration.ofSeconds(10)),
                        MessageReader.raw())
                .on(LicenseStatusChanged.TYPE, worker.handler(name))
                .deadLettersTo(deadLetters)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.close();
            deadLetters.close();
            redis.close();
        }));
        System.out.println("worker: ready, " + name);
    }

    private static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new IllegalArgumentException("The environment variable " + variable + " is not set.");
        }
        return value;
    }

    private EventHandler<NoTransaction> handler(String name) {
        return switch (name) {
            case "compliance" -> (none, event) -> notice(event);
            case "search" -> (none, event) -> index(event);
            default -> throw new IllegalArgumentException("There is no worker named " + name + ".");
        };
    }

    private void notice(ReceivedEvent event) throws SQLException {
        LicenseStatusChanged change = read(event);
        String audience = switch (change.status()) {
            case "pending" -> "admin";
            case "verified", "rejected" -> "store";
            default -> throw new PermanentFailureException("The license has no known status.");
        };
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(NOTICE)) {
            insert.setString(1, audience);
            insert.setLong(2, change.storeId());
            insert.setString(3, "/licenses/" + change.licenseId());
            insert.setString(4, change.reason());
            insert.setString(5, event.id());
            insert.executeUpdate();
        }
    }

    private void index(ReceivedEvent event) throws SQLException {
        LicenseStatusChanged change = read(event);
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(INDEX)) {
            insert.setString(1, change.licenseId());
            insert.setString(2, change.status());
            insert.setString(3, event.id());
            insert.executeUpdate();
        }
    }

    private static LicenseStatusChanged read(ReceivedEvent event) {
        try {
            return JSON.readValue(event.data(), LicenseStatusChanged.class);
        } catch (JacksonException e) {
            throw new PermanentFailureException("The payload is not a license_status_changed.");
        }
    }
}
