package dev.waybill.trials;

import dev.waybill.NoTransaction;
import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.redis.RedisInbox;
import dev.waybill.redis.RedisInboxOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import redis.clients.jedis.RedisClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The compliance consumer of the document, as a service would write it: it reads a subscription of Pub/Sub, remembers events in
 * Redis, and writes notices to PostgreSQL. All addresses and times come from the environment.
 */
final class LicenseNotices implements AutoCloseable {
    static final String TABLE = """
            create table notifications (
                number bigint generated always as identity primary key,
                consumer text not null,
                type text not null,
                audience text not null,
                store_id bigint not null,
                link text not null,
                reason text,
                event_id text not null)""";
    static final String RUNS = "trial: notices are written";

    private static final String TYPE = "license_status_changed";
    private static final String INSERT = """
            insert into notifications (consumer, type, audience, store_id, link, reason, event_id)
            values (?, 'compliance', ?, ?, ?, ?, ?)""";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String name;
    private final DataSource database;
    private final RedisClient redis;
    private final PubSubDestination deadLetters;
    private final EventConsumer consumer;

    /** What a trial changes. */
    record Changes(
            UnaryOperator<EventHandler<NoTransaction>> handler,
            UnaryOperator<Transactions<NoTransaction>> transactions,
            ConsumerOptions options) {
        static final Changes NONE =
                new Changes(handler -> handler, transactions -> transactions, ConsumerOptions.defaults());
    }

    LicenseNotices(String name, Map<String, String> environment, Changes changes) {
        this.name = name;
        database = dataSource(environment.get("DATABASE_URL"));
        redis = RedisClient.create(environment.get("REDIS_URL"));
        Duration remembered =
                Duration.parse("PT" + environment.getOrDefault("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "720h"));
        RedisInbox inbox = RedisInbox.on(redis, RedisInboxOptions.defaults().remember(remembered));
        PubSubOptions pubSub = PubSubOptions.of(environment.get("GOOGLE_CLOUD_PROJECT"))
                .emulator(environment.get("PUBSUB_EMULATOR_HOST"));
        deadLetters = PubSubDestination.of(pubSub);
        PubSubSource subscription = PubSubSource.of(
                        pubSub,
                        environment.get("PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION"),
                        environment.get("PACKFINDERZ_PUBSUB_DOMAIN_TOPIC"))
                // The minimum, so that a trial does not wait long for the messages of a dead process.
                .ackDeadline(Duration.ofSeconds(10));
        EventHandler<NoTransaction> handler = (none, event) -> write(event);
        consumer = EventConsumer.named(name, inbox, changes.transactions().apply(Transactions.none()))
                .from(subscription, MessageReader.raw())
                .on(TYPE, changes.handler().apply(handler))
                .deadLettersTo(deadLetters)
                .options(changes.options())
                .start();
    }

    static LicenseNotices start(String name, Map<String, String> environment) {
        return new LicenseNotices(name, environment, Changes.NONE);
    }

    EventConsumer consumer() {
        return consumer;
    }

    private void write(ReceivedEvent event) throws SQLException {
        JsonNode license = read(event);
        String status = license.path("status").asString("");
        switch (status) {
            case "pending" -> insert("admin", license, event.id());
            case "verified", "rejected" -> insert("store", license, event.id());
            default -> throw new PermanentFailureException("The license has no known status.");
        }
    }

    private static JsonNode read(ReceivedEvent event) {
        try {
            return JSON.readTree(event.data());
        } catch (JacksonException e) {
            throw new PermanentFailureException("The payload is not JSON.");
        }
    }

    private void insert(String audience, JsonNode license, String eventId) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, name);
            insert.setString(2, audience);
            insert.setLong(3, license.path("storeId").asLong());
            insert.setString(4, "/licenses/" + license.path("licenseId").asString());
            insert.setString(5, license.has("reason") ? license.get("reason").asString() : null);
            insert.setString(6, eventId);
            insert.executeUpdate();
        }
    }

    private static DataSource dataSource(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    @Override
    public void close() {
        consumer.close();
        deadLetters.close();
        redis.close();
    }

    /** With one worker, so that only one event is at work when the process kills itself. */
    public static void main(String... arguments) throws IOException {
        int commits = Integer.parseInt(arguments[1]);
        Changes deadly = new Changes(
                handler -> handler,
                transactions -> KillSelf.afterCommits(commits, transactions),
                ConsumerOptions.defaults().workers(1));
        LicenseNotices notices = new LicenseNotices(arguments[0], System.getenv(), deadly);
        System.out.println(RUNS);
        while (System.in.read() >= 0) {
            // The parent writes nothing; the stream ends when the parent ends.
        }
        notices.close();
    }
}
