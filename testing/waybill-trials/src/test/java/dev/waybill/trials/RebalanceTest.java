package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.spi.Destination;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Consumers that join and leave a group while its messages are being handled; none is killed. */
class RebalanceTest {
    private static final int KEYS = 40;
    private static final int CHANGES = 8;
    /** Duration of an effect, so that every rebalance happens while some are in progress. */
    private static final Duration WORK = Duration.ofMillis(5);
    /** Time between two messages: the members are busy and no backlog builds up. */
    private static final Duration PAUSE = Duration.ofMillis(4);

    private Trial trial;
    private ConsumerSettings settings;
    private ConsumedEvents topic;

    @BeforeEach
    void begin() throws Exception {
        trial = Trial.begin("rebalance");
        trial.database().execute(ConsumerSettings.TABLES + ";alter table effect add seq bigserial");
        String name = trial.topic("orders");
        settings = new ConsumerSettings(
                trial.database().url(), TrialServers.kafka().bootstrapServers(), "billing", name, false, 0);
        topic = new ConsumedEvents(name);
    }

    @AfterEach
    void end() {
        trial.close();
    }

    @Tag("full")
    @Test
    void consumers_join_and_leave_and_every_effect_happens_once_in_the_order_of_its_key() throws Exception {
        Map<String, List<String>> sent = new HashMap<>();
        List<EventConsumer> all = new ArrayList<>();
        List<EventConsumer> members = new ArrayList<>();
        try (Load load = new Load(sent, trial.random().nextLong())) {
            load.begin();
            members.add(join(all));
            for (int change = 0; change < CHANGES; change++) {
                EventConsumer newcomer = join(all);
                Await.until("work for the newcomer", () -> handled(newcomer) > 0);
                members.add(newcomer);
                if (members.size() > 2) {
                    members.remove(trial.random().nextInt(members.size())).close();
                }
                long before = handled(all);
                Await.until("work after it", () -> handled(all) > before + KEYS);
            }
        }
        Await.until("all acknowledged", () -> topic.committed("billing") == topic.sent());
        members.forEach(EventConsumer::close);

        trial.say(all.size() + " consumers, " + handled(all) + " effects, "
                + all.stream().mapToLong(each -> each.statistics().duplicates()).sum() + " messages came again");
        Map<String, List<String>> effects = effects();
        sent.forEach((key, ids) -> assertThat(effects.get(key)).as(key).containsExactlyElementsOf(ids));
        assertThat(all)
                .allMatch(each ->
                        each.statistics().dead() == 0 && each.statistics().failures() == 0);
        // A leaving member finishes its messages and commits them. During a rebalance the group may refuse a commit,
        // and on a
        // busy machine a rebalance takes seconds; the inbox then sees the messages since the last commit again.
        assertThat(all.stream()
                        .mapToLong(each -> each.statistics().duplicates())
                        .sum())
                .isLessThan(handled(all) / 2);
    }

    private EventConsumer join(List<EventConsumer> all) throws Exception {
        Destination post = trial.opened(settings.deadLetters());
        EventHandler<Connection> effect = settings.leaveEffect();
        EventHandler<Connection> handler = (connection, event) -> {
            effect.handle(connection, event);
            Await.watch(WORK);
        };
        EventConsumer consumer = trial.opened(settings.plan(
                        post,
                        handler,
                        transactions -> transactions,
                        ConsumerOptions.defaults().workers(4))
                .start());
        all.add(consumer);
        return consumer;
    }

    private static long handled(EventConsumer consumer) {
        return consumer.statistics().handled();
    }

    private static long handled(List<EventConsumer> consumers) {
        return consumers.stream().mapToLong(RebalanceTest::handled).sum();
    }

    /** Effects by key, in order. */
    private Map<String, List<String>> effects() throws Exception {
        Map<String, List<String>> ids = new HashMap<>();
        try (Connection connection = trial.database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select data::json->>'key', event_id from effect order by seq")) {
            while (row.next()) {
                ids.computeIfAbsent(row.getString(1), key -> new ArrayList<>()).add(row.getString(2));
            }
        }
        return ids;
    }

    /** Sends events until it is closed. */
    private final class Load implements AutoCloseable {
        private final Map<String, List<String>> sent;
        private final Random random;
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicReference<Throwable> problem = new AtomicReference<>();
        private final Thread thread = new Thread(this::send, "load");

        Load(Map<String, List<String>> sent, long seed) {
            this.sent = sent;
            this.random = new Random(seed);
            thread.setUncaughtExceptionHandler((dead, failure) -> problem.set(failure));
        }

        void begin() {
            thread.start();
        }

        private void send() {
            while (!ended.get()) {
                String key = "k" + random.nextInt(KEYS);
                String id = topic.send(key, "{\"key\":\"" + key + "\"}");
                sent.computeIfAbsent(key, first -> new ArrayList<>()).add(id);
                Await.watch(PAUSE);
            }
        }

        @Override
        public void close() {
            ended.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError("Interrupted while the load ended.", e);
            }
            assertThat(problem.get()).isNull();
        }
    }
}
