package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Letters.letter;
import static dev.waybill.rabbitmq.Letters.letters;
import static dev.waybill.rabbitmq.Letters.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.DependencyUnavailableException;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import dev.waybill.tck.destination.Sender;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A source on RabbitMQ, beyond the contract of all sources. */
class RabbitSourceTest {
    private static final Duration SOON = Duration.ofMillis(50);

    @RegisterExtension
    private static final Broker broker = new Broker();

    @Test
    void what_the_destination_sends_the_source_reads() throws Exception {
        String queue = broker.newTopic();
        try (Sender destination = new Sender(RabbitDestination.of(broker.options()));
                Subscription subscription = subscribe(queue)) {
            outcomes(destination.publish(List.of(letter(queue, "id-1"))));
            InboundMessage message = take(subscription, 1).get(0);
            assertThat(message.key()).isEqualTo("key of id-1".getBytes(StandardCharsets.UTF_8));
            assertThat(message.topic()).isEqualTo(queue);
            assertThat(message.header("amqp-message-id")).contains("id-1");
            assertThat(message.header("amqp-type")).contains("contract.sent.v1");
            assertThat(message.header("amqp-timestamp")).contains("2026-01-02T03:04:05Z");
            assertThat(message.header("amqp-exchange")).contains(Broker.EXCHANGE);
            assertThat(message.header("amqp-routing-key")).contains(queue);
            assertThat(message.header(RabbitDestination.KEY_HEADER)).isEmpty();
        }
    }

    @Test
    void headers_become_text_and_tables_are_omitted() {
        String queue = broker.newTopic();
        Map<String, Object> headers =
                Map.of("count", 7, "urgent", true, "table", Map.of("a", 1), "bytes", new byte[] {'x'});
        broker.run(channel -> channel.basicPublish(
                "", queue, new BasicProperties.Builder().headers(headers).build(), new byte[0]));
        try (Subscription subscription = subscribe(queue)) {
            InboundMessage message = take(subscription, 1).get(0);
            assertThat(message.header("count")).contains("7");
            assertThat(message.header("urgent")).contains("true");
            assertThat(message.header("bytes")).contains("x");
            assertThat(message.header("table")).isEmpty();
        }
    }

    @Test
    void the_prefetch_limits_the_messages_taken() throws Exception {
        String queue = broker.newTopic();
        send(queue, 10);
        RabbitSource source = RabbitSource.of(broker.options(), List.of(queue)).prefetch(3);
        try (Subscription subscription = source.subscribe((from, whose) -> {})) {
            List<InboundMessage> first = take(subscription, 3);
            assertThat(broker.server().unacknowledged(queue)).isEqualTo(3);
            assertThat(subscription.poll(SOON, 10)).isEmpty();
            subscription.acknowledge(first.subList(1, 2));
            assertThat(take(subscription, 1)).hasSize(1);
            assertThat(broker.server().unacknowledged(queue)).isEqualTo(3);
        }
        assertThat(broker.server().unacknowledged(queue)).isZero();
        assertThat(broker.textsOn(queue)).hasSize(9);
    }

    @Test
    void large_messages_reduce_the_prefetch() {
        String queue = broker.newTopic();
        byte[] large = new byte[400_000];
        broker.run(channel -> {
            for (int i = 0; i < 60; i++) {
                channel.basicPublish("", queue, null, large);
            }
        });
        RabbitSource source = RabbitSource.of(broker.options(), List.of(queue)).outstandingBytes(2_000_000);
        try (Subscription subscription = source.subscribe((from, whose) -> {})) {
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> take(subscription, 60))
                    .withMessageContaining("6 messages with 2400")
                    .withMessageContaining("4 messages of a queue are prefetched instead of 1000");
        }
        try (Subscription subscription = source.subscribe((from, whose) -> {})) {
            for (int i = 0; i < 15; i++) {
                List<InboundMessage> some = take(subscription, 4);
                assertThat(subscription.poll(SOON, 100)).isEmpty();
                subscription.acknowledge(some);
            }
        }
        assertThat(broker.textsOn(queue)).isEmpty();
    }

    @Test
    void after_large_messages_the_prefetch_grows_again() {
        String queue = broker.newTopic();
        Set<String> handled = ConcurrentHashMap.newKeySet();
        InMemoryInbox inbox = new InMemoryInbox();
        for (int i = 0; i < 4; i++) {
            send(queue, "large" + i, "placed", 600_000);
        }
        send(queue, "waits", "paid", 10);
        for (int i = 0; i < 20; i++) {
            send(queue, "small" + i, "placed", 10);
        }
        RabbitSource source = RabbitSource.of(broker.options(), List.of(queue))
                .outstandingBytes(1_000_000)
                .withClock(() -> 20 * System.nanoTime());
        try (EventConsumer consumer = EventConsumer.named("billing", inbox, inbox)
                .from(source, MessageReader.raw())
                .on("placed", (transaction, event) -> transaction.onCommit(() -> handled.add(event.id())))
                .on("paid", (transaction, event) -> {
                    throw new DependencyUnavailableException("away");
                })
                .deadLettersTo(new InMemoryDestination())
                .start()) {
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (handled.size() < 24) {
                assertThat(System.nanoTime())
                        .as("handled: %s; %s", handled, consumer.health())
                        .isLessThan(deadline);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    @Test
    void one_message_beyond_the_limit_ends_no_subscription() {
        String queue = broker.newTopic();
        send(queue, "large", "placed", 400_000);
        send(queue, "small", "placed", 10);
        RabbitSource source = RabbitSource.of(broker.options(), List.of(queue)).outstandingBytes(100_000);
        try (Subscription subscription = source.subscribe((from, whose) -> {})) {
            subscription.acknowledge(take(subscription, 2));
        }
    }

    @Test
    void one_message_is_delivered_however_large_it_is() {
        String queue = broker.newTopic();
        broker.run(channel -> channel.basicPublish("", queue, null, new byte[400_000]));
        RabbitSource source =
                RabbitSource.of(broker.options(), List.of(queue)).prefetch(1).outstandingBytes(1);
        try (Subscription subscription = source.subscribe((from, whose) -> {})) {
            subscription.acknowledge(take(subscription, 1));
        }
    }

    @Test
    void a_single_active_consumer_hands_its_keys_over_in_order() throws Exception {
        String queue = broker.newTopic(Map.of("x-single-active-consumer", true));
        Subscription first = subscribe(queue);
        try (Subscription second = subscribe(queue)) {
            send(queue, 100);
            List<InboundMessage> got = take(first, 100);
            first.acknowledge(got.subList(0, 40));
            first.acknowledge(got.subList(50, 60));
            assertThat(second.poll(SOON, 100)).as("while the first is there").isEmpty();
            first.close();

            List<InboundMessage> open = new ArrayList<>(got.subList(40, 50));
            open.addAll(got.subList(60, 100));
            assertThat(take(second, 50)).extracting(RabbitSourceTest::text).isEqualTo(texts(open));
        } finally {
            first.close();
        }
    }

    @Test
    void several_queues_are_consumed_together() throws Exception {
        String one = broker.newTopic();
        String other = broker.newTopic();
        send(one, 5);
        send(other, 5);
        RabbitSource source = RabbitSource.of(broker.options(), List.of(one, other));
        try (Subscription subscription = source.subscribe((from, whose) -> {})) {
            assertThat(take(subscription, 10))
                    .extracting(InboundMessage::topic)
                    .containsOnly(one, other)
                    .hasSize(10);
        }
    }

    @Test
    void a_queue_that_is_missing_is_named_and_one_that_is_declared_is_there() {
        String queue = Broker.unusedTopic();
        assertThatExceptionOfType(SourceException.class)
                .isThrownBy(() -> subscribe(queue))
                .withMessageContaining("Cannot consume [" + queue + "]")
                .withMessageContaining("404");
        RabbitOptions declaring = broker.options().topology(Topology.NONE.queue(queue, Map.of()));
        RabbitSource.of(declaring, List.of(queue))
                .subscribe((from, whose) -> {})
                .close();
        subscribe(queue).close();
    }

    @Test
    void when_its_queue_is_deleted_or_its_connection_closed_the_subscription_has_failed() {
        String queue = broker.newTopic();
        try (Subscription subscription = subscribe(queue)) {
            broker.run(channel -> channel.queueDelete(queue));
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> take(subscription, 1))
                    .withMessageContaining("the queue " + queue + " no longer exists");
        }
        String second = broker.newTopic();
        try (Subscription subscription = subscribe(second)) {
            broker.server().closeAllConnections();
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> take(subscription, 1))
                    .withMessageContaining("failed while [" + second + "] were consumed");
        }
    }

    @Test
    void invalid_options_are_refused() {
        RabbitOptions options = RabbitOptions.of("amqp://localhost");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> RabbitSource.of(options, List.of()));
        RabbitSource source = RabbitSource.of(options, List.of("q"));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> source.prefetch(0));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> source.prefetch(65_536));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> source.outstandingBytes(0));
    }

    private static Subscription subscribe(String queue) {
        return RabbitSource.of(broker.options(), List.of(queue)).subscribe((from, whose) -> {});
    }

    private static void send(String queue, String id, String type, int bytes) {
        Map<String, Object> headers = Map.of("event-id", id, "event-type", type, RabbitDestination.KEY_HEADER, id);
        broker.run(channel -> channel.basicPublish(
                "", queue, new BasicProperties.Builder().headers(headers).build(), new byte[bytes]));
    }

    private static void send(String queue, int count) throws Exception {
        try (Sender destination = new Sender(RabbitDestination.of(broker.options()))) {
            outcomes(destination.publish(letters(queue, "m", count)));
        }
    }

    private static List<InboundMessage> take(Subscription subscription, int count) {
        List<InboundMessage> taken = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (taken.size() < count) {
            assertThat(System.nanoTime()).as("%d came", taken.size()).isLessThan(deadline);
            taken.addAll(subscription.poll(SOON, count - taken.size()));
        }
        return taken;
    }

    private static List<String> texts(List<InboundMessage> messages) {
        return messages.stream().map(RabbitSourceTest::text).toList();
    }

    private static String text(InboundMessage message) {
        return new String(message.value(), StandardCharsets.UTF_8);
    }
}
