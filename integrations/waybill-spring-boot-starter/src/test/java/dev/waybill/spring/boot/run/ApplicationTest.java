package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Payload;
import dev.waybill.inbox.DependencyUnavailableException;
import dev.waybill.spring.SpringInbox;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Relays and consumers of a running application, whose pool has a single connection. */
class ApplicationTest {
    private static final String TOPIC = Servers.unique("items");
    private static final int RETRIES = 2;

    private static ConfigurableApplicationContext application;

    private Stock.Handlers handlers;
    private SpringOutbox outbox;
    private TransactionTemplate transaction;
    private JdbcClient jdbc;

    @BeforeAll
    static void start() {
        application = Servers.start(
                Stock.class,
                "spring.datasource.hikari.maximum-pool-size=1",
                "waybill.relays.main.format=envelope",
                "waybill.relays.main.route.topic=" + TOPIC,
                "waybill.consumers.stock.destination=kafka",
                "waybill.consumers.stock.format=envelope",
                "waybill.consumers.stock.topics=" + TOPIC,
                "waybill.consumers.stock.grace=100ms",
                "waybill.consumers.stock.retry.retries=" + RETRIES,
                "waybill.consumers.stock.retry.first=1ms",
                "waybill.consumers.stock.retry.max=1ms",
                "waybill.consumers.stock.dead-letter-topic={topic}.given-up");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void find() {
        handlers = application.getBean(Stock.Handlers.class);
        outbox = application.getBean(SpringOutbox.class);
        transaction = application.getBean(TransactionTemplate.class);
        jdbc = application.getBean(JdbcClient.class);
        handlers.first = sold -> {};
    }

    private void sell(String item, int count) {
        transaction.executeWithoutResult(status -> Stock.sell(outbox, item, count));
    }

    private void awaitTaken(String item, int count) {
        Await.until(() -> "taken of " + item + ": " + handlers.taken(item), () -> handlers.taken(item) == count);
    }

    @Test
    void an_event_reaches_its_handler_once_however_often_its_message_arrives() throws Exception {
        long duplicates = duplicates();
        sell("apple", 3);
        awaitTaken("apple", 3);
        ConsumerRecord<byte[], byte[]> message = Servers.message(TOPIC, "apple");
        assertThat(Servers.text(message)).contains("\"shop\"");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", Servers.kafka().bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            TOPIC, message.partition(), message.key(), message.value(), message.headers()))
                    .get();
        }
        sell("apple", 1);
        awaitTaken("apple", 4);
        assertThat(duplicates()).isEqualTo(duplicates + 1);
    }

    /** Since the consumer was last started. */
    private static long duplicates() {
        return application
                .getBean(RunningConsumers.class)
                .statuses()
                .get(0)
                .statistics()
                .orElseThrow()
                .duplicates();
    }

    @Test
    void a_handler_that_throws_leaves_nothing_and_its_message_is_given_up_after_the_last_retry() {
        AtomicInteger calls = new AtomicInteger();
        handlers.first = sold -> {
            calls.incrementAndGet();
            jdbc.sql("insert into taken (item, count) values ('lost', 1)").update();
            throw new IllegalStateException("no");
        };
        sell("pear", 1);
        ConsumerRecord<byte[], byte[]> letter = letterAbout("pear");
        assertThat(calls).hasValue(1 + RETRIES);
        assertThat(handlers.taken("lost")).isZero();
        assertThat(handlers.taken("pear")).isZero();
        assertThat(letter.headers()).extracting(Header::key).isNotEmpty();
    }

    private static ConsumerRecord<byte[], byte[]> letterAbout(String item) {
        return Servers.message(TOPIC + ".given-up", item);
    }

    @Test
    void conflicts_and_unavailable_databases_count_no_attempts() {
        AtomicInteger calls = new AtomicInteger();
        List<RuntimeException> failures = List.of(
                new OptimisticLockingFailureException("a conflict"),
                new OptimisticLockingFailureException("another conflict"),
                new DataAccessResourceFailureException("the database is away"),
                new DependencyUnavailableException("a service is away"),
                new OptimisticLockingFailureException("a third conflict"));
        handlers.first = sold -> {
            int call = calls.getAndIncrement();
            if (call < failures.size()) {
                throw failures.get(call);
            }
        };
        sell("plum", 2);
        awaitTaken("plum", 2);
        assertThat(calls).hasValueGreaterThan(1 + RETRIES);
    }

    @Test
    void a_payload_that_cannot_be_read_is_given_up_at_once_without_its_values_in_the_error() {
        transaction.executeWithoutResult(status -> outbox.append(Event.of(Stock.SOLD)
                .aggregate("Item", "cherry")
                .payload(Payload.json("{\"item\": \"cherry\", \"count\": \"SECRET\"}"))));
        String letter = Servers.text(letterAbout("cherry"));
        assertThat(letter).contains("cannot be read as", "at count");
        assertThat(letter.replace("\\\"count\\\": \\\"SECRET\\\"", "").replace("\"count\": \"SECRET\"", ""))
                .doesNotContain("SECRET");
    }

    @Test
    void a_listener_of_another_framework_uses_the_inbox_in_its_own_or_in_a_new_transaction() {
        SpringInbox inbox = application.getBean(SpringInbox.class);
        Runnable effect = () ->
                jdbc.sql("insert into taken (item, count) values ('fig', 1)").update();
        assertThat(inbox.handleOnce("figs", "event-1", effect)).isEqualTo(Outcome.HANDLED);
        assertThat(inbox.handleOnce("figs", "event-1", effect)).isEqualTo(Outcome.DUPLICATE);
        assertThat(inbox.of("main").handleOnce("others", "event-1", effect)).isEqualTo(Outcome.HANDLED);
        transaction.executeWithoutResult(status -> {
            inbox.handleOnce("figs", "event-2", effect);
            status.setRollbackOnly();
        });
        assertThat(handlers.taken("fig")).isEqualTo(2);
        assertThat(inbox.handleOnce("figs", "event-2", effect)).isEqualTo(Outcome.HANDLED);
        assertThatThrownBy(() -> inbox.of("nowhere")).hasMessageContaining("use one of [main]");
    }

    @Test
    void relays_and_consumers_work_again_after_the_context_was_paused() {
        application.pause();
        RunningRelays relays = application.getBean(RunningRelays.class);
        assertThat(relays.isRunning()).isFalse();
        assertThat(relays.statuses()).noneMatch(RunningRelays.Status::alive);
        sell("quince", 5);
        application.restart();
        awaitTaken("quince", 5);
        assertThat(relays.statuses()).allMatch(RunningRelays.Status::alive);
        assertThat(relays.problems(Duration.ZERO)).isEmpty();
    }

    @Test
    void a_handler_that_outlasts_the_grace_time_of_a_stop_has_one_effect() {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch returning = new CountDownLatch(1);
        handlers.first = sold -> {
            handling.countDown();
            awaitLatch(returning);
        };
        sell("melon", 1);
        awaitLatch(handling);
        application.pause();
        application.restart();
        returning.countDown();
        // behind the first one, which is delivered again
        sell("melon", 2);
        awaitTaken("melon", 3);
        assertThat(duplicates()).isEqualTo(1);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted.", e);
        }
    }

    @Test
    void the_inbox_and_the_effect_are_in_one_transaction_of_spring() {
        handlers.first = sold -> assertThat(jdbc.sql(
                                "select pg_current_xact_id()::text = max(xmin::text) from waybill_inbox where xmin::text ="
                                        + " pg_current_xact_id()::text")
                        .query(Boolean.class)
                        .single())
                .isTrue();
        sell("lemon", 1);
        awaitTaken("lemon", 1);
    }

    @Test
    void relays_and_consumers_leave_the_beans_of_spring_boot_as_they_are() {
        assertThat(application.getBeansOfType(TransactionTemplate.class)).containsOnlyKeys("transactionTemplate");
        assertThat(application.getBeansOfType(Clock.class)).isEmpty();
        assertThat(application.containsBeanDefinition("applicationEventMulticaster"))
                .isFalse();
        assertThat(application.containsBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME))
                .isFalse();
    }
}
