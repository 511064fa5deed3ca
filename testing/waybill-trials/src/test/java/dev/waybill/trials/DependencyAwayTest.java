package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.NoTransaction;
import dev.waybill.RetryPolicy;
import dev.waybill.Transactions;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerHealth.State;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.redis.RedisInbox;
import dev.waybill.redis.RedisInboxOptions;
import dev.waybill.spi.Destination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.embedded.RedisServer;

/**
 * Consumers on each broker whose database, Redis, or a service called by their handlers is unavailable for a while.
 * They have no retries: any counted failure would make the event a dead letter.
 */
class DependencyAwayTest {
    private static final ConsumerOptions STRICT =
            ConsumerOptions.defaults().retry(new RetryPolicy(0, Duration.ZERO, 1, Duration.ZERO));
    private static final int KEYS = 4;

    private final Map<String, TrialBroker> brokers = new LinkedHashMap<>();
    private final Map<String, EventConsumer> consumers = new LinkedHashMap<>();
    private final Map<String, List<String>> sent = new LinkedHashMap<>();
    private final Map<String, List<String>> redisEffects = new ConcurrentHashMap<>();
    private final Downstream downstream = new Downstream();
    private Trial trial;
    private int redisPort;
    private RedisServer redis;
    private UnifiedJedis redisClient;
    private int number;

    @BeforeEach
    void begin() throws Exception {
        trial = Trial.begin("dependency-away");
        trial.database().execute(ConsumerSettings.TABLES);
        redisPort = FreePort.choose();
        redis = startRedis();
        redisClient = trial.opened(RedisClient.create("127.0.0.1", redisPort));
        Optional<PubSubEmulator> emulator = PubSubEmulator.startIfInstalled();
        emulator.ifPresent(trial::opened);
        for (String needs : List.of("database", "redis", "service")) {
            brokers.put("kafka." + needs, TrialBroker.kafka(trial, needs));
            brokers.put("rabbitmq." + needs, TrialBroker.rabbit(trial, needs));
            if (emulator.isPresent()) {
                brokers.put("pubsub." + needs, TrialBroker.pubSub(emulator.get(), needs));
            }
        }
    }

    /** It loses its data when it is stopped. */
    private RedisServer startRedis() throws IOException {
        RedisServer server = RedisServer.newRedisServer()
                .port(redisPort)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        return server;
    }

    @AfterEach
    void end() throws IOException {
        consumers.values().forEach(EventConsumer::close);
        downstream.close();
        redis.stop();
        trial.close();
    }

    @Tag("full")
    @Test
    void for_some_seconds() throws Exception {
        takeAway(Duration.ofSeconds(5));
    }

    @Test
    @Tag("full")
    void for_a_minute() throws Exception {
        takeAway(Duration.ofSeconds(60));
    }

    private void takeAway(Duration time) throws Exception {
        for (Map.Entry<String, TrialBroker> each : brokers.entrySet()) {
            consumers.put(each.getKey(), start(each.getKey(), each.getValue()));
        }
        send(3);
        awaitEffects("the effects before");
        send(3);
        redis.stop();
        downstream.stop();
        TrialServers.withoutPostgres(() -> {
            trial.say("PostgreSQL, Redis and the service are away for " + time.toSeconds() + " s");
            send(3);
            Await.watch(time);
            assertThat(consumers)
                    .allSatisfy((name, consumer) -> assertThat(consumer.health().state())
                            .as("%s: %s", name, consumer.health())
                            .isEqualTo(State.WAITING));
        });
        redis.start();
        downstream.restart();
        trial.say("they are back");
        awaitEffects("every effect");
        for (Map.Entry<String, EventConsumer> each : consumers.entrySet()) {
            trial.say(each.getKey() + ": " + effects(each.getKey()).size() + " effects of "
                    + sent.get(each.getKey()).size() + " events, "
                    + each.getValue().statistics().dead() + " dead letters");
            assertThat(each.getValue().statistics().dead()).as(each.getKey()).isZero();
            assertThat(effects(each.getKey()))
                    .as(each.getKey())
                    .containsExactlyInAnyOrderElementsOf(sent.get(each.getKey()));
        }
    }

    private void send(int ofEachKey) {
        try {
            for (Map.Entry<String, TrialBroker> each : brokers.entrySet()) {
                for (int i = 0; i < ofEachKey * KEYS; i++) {
                    String id = each.getValue().send("k" + i % KEYS, "{\"n\":" + number++ + "}");
                    sent.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                            .add(id);
                }
            }
        } catch (Exception e) {
            throw new AssertionError("A broker did not take what the trial sends.", e);
        }
    }

    private void awaitEffects(String what) throws Exception {
        for (String name : brokers.keySet()) {
            Await.until(
                    what + " of " + name,
                    Duration.ofMinutes(2),
                    () -> effects(name).containsAll(sent.get(name)));
        }
    }

    private EventConsumer start(String name, TrialBroker broker) throws Exception {
        Destination letters = trial.opened(broker.deadLetters());
        if (name.endsWith(".database")) {
            JdbcInbox inbox;
            try (Connection connection = trial.database().dataSource().getConnection()) {
                inbox = JdbcInbox.of(InboxLayout.waybill());
                inbox.create(connection);
            }
            ConsumerSettings settings = new ConsumerSettings(trial.database().url(), "", name, "", false, 0);
            return start(
                    EventConsumer.named(
                            name, inbox, JdbcTransactions.on(trial.database().dataSource())),
                    broker,
                    letters,
                    settings.leaveEffect());
        }
        if (name.endsWith(".redis")) {
            EventHandler<NoTransaction> handler = (none, event) -> redisEffects
                    .computeIfAbsent(name, consumer -> new CopyOnWriteArrayList<>())
                    .add(event.id());
            RedisInbox inbox =
                    RedisInbox.on(redisClient, RedisInboxOptions.defaults().atWork(Duration.ofSeconds(20)));
            return start(EventConsumer.named(name, inbox, Transactions.none()), broker, letters, handler);
        }
        InMemoryInbox inbox = new InMemoryInbox();
        EventHandler<InMemoryInbox.Transaction> handler = (transaction, event) -> downstream.call(name, event.id());
        return start(EventConsumer.named(name, inbox, inbox), broker, letters, handler);
    }

    private static <T> EventConsumer start(
            ConsumerPlan<T> plan, TrialBroker broker, Destination letters, EventHandler<T> handler) {
        return plan.from(broker.source("away"), MessageReader.envelope())
                .on(ConsumerSettings.TYPE, handler)
                .deadLettersTo(letters)
                .options(STRICT)
                .start();
    }

    private List<String> effects(String name) throws Exception {
        if (name.endsWith(".redis")) {
            return redisEffects.getOrDefault(name, List.of());
        }
        if (name.endsWith(".service")) {
            return downstream.effects(name);
        }
        List<String> ids = new ArrayList<>();
        try (Connection connection = trial.database().dataSource().getConnection();
                PreparedStatement select =
                        connection.prepareStatement("select event_id from effect where consumer = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    ids.add(row.getString(1));
                }
            }
        }
        return ids;
    }
}
