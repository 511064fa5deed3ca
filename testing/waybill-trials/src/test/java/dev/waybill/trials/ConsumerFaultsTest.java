package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.EventIds;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.inbox.SendBack;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.spi.Destination;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How a consumer handles failing messages and servers. */
class ConsumerFaultsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration AWAY = Duration.ofSeconds(15);

    private Trial trial;
    private ConsumerSettings settings;
    private ConsumedEvents topic;
    private ConsumedEvents deadLetters;

    @BeforeEach
    void begin() throws Exception {
        trial = Trial.begin("consumer-faults");
        trial.database().execute(ConsumerSettings.TABLES);
        String name = trial.topic("orders");
        settings = new ConsumerSettings(
                trial.database().url(), TrialServers.kafka().bootstrapServers(), "billing", name, false, 0);
        topic = new ConsumedEvents(name);
        deadLetters = new ConsumedEvents(name + ".dlt");
    }

    @AfterEach
    void end() {
        trial.close();
    }

    @Test
    void neither_poison_nor_a_slow_key_delays_the_others() throws Exception {
        CountDownLatch othersDone = new CountDownLatch(1);
        EventHandler<Connection> effect = settings.leaveEffect();
        EventHandler<Connection> handler = (connection, event) -> {
            if (event.dataText().contains("poison")) {
                throw new PermanentFailureException("Validation failed: product not found");
            }
            if (event.dataText().contains("slow")) {
                othersDone.await();
            }
            effect.handle(connection, event);
        };
        String poison = topic.send("poisoned", "{\"poison\":  1e2}");
        String after = topic.send("poisoned", "{\"after\":1}");
        String slow = topic.send("slow", "{\"slow\":1}");
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(topic.send("k" + i % 5, "{\"n\":" + i + "}"));
        }

        try (Destination post = settings.deadLetters();
                EventConsumer consumer = settings.plan(
                                post, handler, transactions -> transactions, ConsumerOptions.defaults())
                        .start()) {
            Await.until(
                    "the others",
                    () -> effects().containsAll(others) && effects().contains(after));
            assertThat(effects()).doesNotContain(slow, poison);
            othersDone.countDown();
            Await.until("all acknowledged", () -> topic.committed("billing") == topic.sent());
            assertThat(consumer.statistics().dead()).isEqualTo(1);
        }

        assertThat(effects()).contains(slow).doesNotHaveDuplicates();
        ConsumerRecord<byte[], byte[]> record = onlyDeadLetter();
        JsonNode letter = JSON.readTree(record.value());
        assertThat(letter.propertyNames())
                .containsExactly("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");
        assertThat(letter.get("eventId").asString()).isEqualTo(poison);
        assertThat(letter.get("errorMessage").asString()).isEqualTo("Validation failed: product not found");
        assertThat(letter.get("consumerService").asString()).isEqualTo("billing");
        assertThat(Instant.parse(letter.get("failedAt").asString())).isBefore(Instant.now());
        assertThat(new String(record.value(), StandardCharsets.UTF_8)).contains("{\"poison\":  1e2}");
        assertThat(record.key()).isEqualTo("poisoned".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_dead_letter_that_is_sent_back_after_the_fix_is_handled_once() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        EventHandler<Connection> effect = settings.leaveEffect();
        EventHandler<Connection> handler = (connection, event) -> {
            if (broken.get() && event.dataText().contains("bad")) {
                throw new PermanentFailureException("not yet");
            }
            effect.handle(connection, event);
        };
        String first = topic.send("k", "{\"bad\":1}");
        String second = topic.send("k", "{\"bad\":2}");
        String third = topic.send("k", "{\"bad\":3}");
        Actor person = new Actor("night shift", "mended");

        try (Destination post = settings.deadLetters();
                KafkaDeadLetters box = deadLetterBox();
                EventConsumer consumer = settings.plan(
                                post, handler, transactions -> transactions, ConsumerOptions.defaults())
                        .start()) {
            Await.until("three dead letters", () -> consumer.statistics().dead() == 3);
            List<DeadLetterEntry> letters = box.list(settings.topic() + ".dlt", 10);
            assertThat(letters.stream().map(letter -> letter.eventId().orElseThrow()))
                    .containsExactly(first, second, third);
            assertThat(letters)
                    .allMatch(letter -> letter.origin().equals(settings.topic())
                            && letter.consumer().equals("billing")
                            && letter.error().equals("not yet"));
            broken.set(false);
            assertThat(box.discard(letters.get(2), person)).isTrue();
            assertThat(SendBack.of(box, 100).run(letters, person, () -> true).done())
                    .isEqualTo(2);
            assertThat(SendBack.of(box, 100).run(letters, person, () -> true).done())
                    .as("again")
                    .isZero();
            assertThat(box.list(settings.topic() + ".dlt", 10)).isEmpty();
            Await.until("all acknowledged", () -> topic.committed("billing") == topic.sent());
        }

        assertThat(effects()).containsExactly(first, second);
    }

    private KafkaDeadLetters deadLetterBox() {
        Map<String, String> kafka = Map.of("bootstrap.servers", settings.broker());
        return KafkaDeadLetters.of(kafka, KafkaOptions.of(kafka));
    }

    @Test
    void a_message_that_cannot_be_read_keeps_its_bytes_and_what_follows_is_handled() throws Exception {
        byte[] bytes = {0, 1, (byte) 0xff, '{'};
        topic.send("k", bytes);
        String after = topic.send("k", "{}");

        try (Destination post = settings.deadLetters();
                EventConsumer consumer = settings.plan(
                                post, settings.leaveEffect(), transactions -> transactions, ConsumerOptions.defaults())
                        .start()) {
            Await.until("all acknowledged", () -> topic.committed("billing") == topic.sent());
            assertThat(consumer.statistics().dead()).isEqualTo(1);
        }

        assertThat(effects()).containsExactly(after);
        JsonNode letter = JSON.readTree(onlyDeadLetter().value());
        assertThat(letter.get("originalEvent").isNull()).isTrue();
        assertThat(Base64.getDecoder().decode(letter.get("originalBytes").asString()))
                .isEqualTo(bytes);
    }

    @Tag("full")
    @Test
    void while_its_database_is_away_nothing_is_acknowledged_and_all_is_handled_after() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(topic.send("k" + i % 5, "{\"n\":" + i + "}"));
        }
        // No retries: any counted failure would make the event a dead letter.
        ConsumerOptions strict = ConsumerOptions.defaults().retry(new RetryPolicy(0, Duration.ZERO, 1, Duration.ZERO));

        try (Destination post = settings.deadLetters();
                EventConsumer consumer = settings.plan(
                                post, settings.leaveEffect(), transactions -> transactions, strict)
                        .start()) {
            Await.until("a first effect", () -> consumer.statistics().handled() == 20);
            Await.until("all acknowledged", () -> topic.committed("billing") == topic.sent());
            long before = topic.committed("billing");
            TrialServers.withoutPostgres(() -> {
                trial.say("PostgreSQL is away for " + AWAY.toSeconds() + " s");
                for (int i = 20; i < 40; i++) {
                    ids.add(topic.send("k" + i % 5, "{\"n\":" + i + "}"));
                }
                Await.watch(AWAY);
                assertThat(topic.committed("billing")).isEqualTo(before);
            });
            Await.until("all acknowledged", () -> topic.committed("billing") == topic.sent());
            assertThat(consumer.statistics().dead()).isZero();
        }

        assertThat(effects()).containsExactlyInAnyOrderElementsOf(ids);
    }

    /** P11: columns for people who read the table. */
    @Test
    void handled_events_are_recorded_with_their_type_and_source_one_by_one_and_in_batches() throws Exception {
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.processedEvents("billing"));
        try (Connection connection = trial.database().dataSource().getConnection()) {
            inbox.create(connection);
        }
        for (String type : List.of("one", "batch", "batch")) {
            topic.send("k", envelope(type, ",\"source\":\"order-service\""));
        }
        topic.send("k", envelope("one", ""));

        try (Destination post = settings.deadLetters();
                EventConsumer consumer = EventConsumer.named(
                                "billing",
                                inbox,
                                JdbcTransactions.on(trial.database().dataSource()))
                        .from(settings.source(), MessageReader.envelope())
                        .on("one", (connection, event) -> {})
                        .inBatches("batch", (connection, event) -> {})
                        .deadLettersTo(post)
                        .start()) {
            Await.until("all handled", () -> consumer.statistics().handled() == 4);
        }

        assertThat(column("select event_type || ' ' || coalesce(source, 'unknown') from processed_events"))
                .containsExactlyInAnyOrder(
                        "one order-service", "batch order-service", "batch order-service", "one unknown");
    }

    private static byte[] envelope(String type, String more) {
        return "{\"eventId\":\"%s\",\"eventType\":\"%s\"%s,\"data\":{}}"
                .formatted(EventIds.next(), type, more)
                .getBytes(StandardCharsets.UTF_8);
    }

    private ConsumerRecord<byte[], byte[]> onlyDeadLetter() {
        List<ConsumerRecord<byte[], byte[]>> letters = deadLetters.everything();
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }

    private List<String> effects() throws Exception {
        return column("select event_id from effect");
    }

    private List<String> column(String select) throws Exception {
        List<String> values = new ArrayList<>();
        try (Connection connection = trial.database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }
}
