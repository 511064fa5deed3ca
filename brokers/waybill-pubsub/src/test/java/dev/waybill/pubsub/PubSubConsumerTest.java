package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.inbox.SendBack;
import dev.waybill.pubsub.Faults.Fault;
import dev.waybill.tck.Seeds;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.testkit.Await;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A consumer on Pub/Sub: what becomes of events when the service, the handler or the dead letters fail. */
class PubSubConsumerTest {
    private final PubSubServer server = new PubSubServer();
    private final Topics topics = new Topics(server.address());
    private final String topic = topics.create();
    private final PubSubOptions options =
            PubSubOptions.of(Topics.PROJECT).emulator(server.address()).deliveryTimeout(Duration.ofSeconds(2));
    private final InMemoryInbox inbox = new InMemoryInbox();
    private final List<EventConsumer> running = new ArrayList<>();
    private final List<PubSubDestination> deadLetters = new ArrayList<>();
    /** The ids of events whose effects were committed, in that order. */
    private final List<String> effects = Collections.synchronizedList(new ArrayList<>());

    PubSubConsumerTest() {
        topics.create(topic + ".dlt", false);
    }

    @AfterEach
    void end() {
        server.restart();
        running.forEach(EventConsumer::close);
        deadLetters.forEach(PubSubDestination::close);
        topics.close();
        server.close();
    }

    private EventConsumer start(EventHandler<InMemoryInbox.Transaction> handler) {
        PubSubDestination own = PubSubDestination.of(options);
        deadLetters.add(own);
        EventConsumer consumer = EventConsumer.named("billing", inbox, inbox)
                .from(PubSubSource.of(options, topic, topic).ackDeadline(Duration.ofSeconds(10)), MessageReader.raw())
                .on("placed", handler)
                .deadLettersTo(own)
                .options(ConsumerOptions.defaults()
                        .workers(4)
                        .retry(new RetryPolicy(3, Duration.ofMillis(20), 2, Duration.ofSeconds(1))))
                .start();
        running.add(consumer);
        return consumer;
    }

    private EventHandler<InMemoryInbox.Transaction> noteEffect() {
        return (transaction, event) -> transaction.onCommit(() -> effects.add(event.id()));
    }

    private void send(List<String> names) {
        topics.publish(
                topic,
                names.stream()
                        .map(name -> PubsubMessage.newBuilder()
                                .setOrderingKey(Letters.keyOf(name))
                                .setData(ByteString.copyFromUtf8("{\"name\":  \"" + name + "\"}"))
                                .putAllAttributes(Map.of("event_id", name, "event_type", "placed"))
                                .build())
                        .toList());
    }

    private Deliveries deliveries() {
        return server.subscriber().deliveries(Topics.path("subscriptions", topic));
    }

    private void awaitAllAcknowledged() {
        Await.until("everything acknowledged", () -> deliveries().unacknowledged() == 0);
    }

    private List<String> effectsOf(String key) {
        return effects.stream().filter(id -> Letters.keyOf(id).equals(key)).toList();
    }

    @Test
    void each_effect_happens_once_in_the_order_of_its_key_whatever_is_delivered_again() {
        Random random = new Random(Seeds.one());
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        EventHandler<InMemoryInbox.Transaction> effect = noteEffect();
        EventHandler<InMemoryInbox.Transaction> handler = (transaction, event) -> {
            if (event.id().endsWith("7") && failedOnce.add(event.id())) {
                throw new IllegalStateException("not this time");
            }
            effect.handle(transaction, event);
        };
        start(handler);
        start(handler);
        int rounds = 12;
        int each = 10;
        List<String> keys = List.of("a", "b", "c", "d", "e");
        for (int round = 0; round < rounds; round++) {
            for (int i = 1; i <= each; i++) {
                int number = round * each + i;
                send(keys.stream().map(key -> key + number).toList());
            }
            disturb(random.nextInt(3), handler);
        }
        awaitAllAcknowledged();

        for (String key : keys) {
            assertThat(effectsOf(key)).isEqualTo(Letters.names(key, rounds * each));
        }
        assertThat(running).allMatch(consumer -> consumer.statistics().dead() == 0);
    }

    private void disturb(int how, EventHandler<InMemoryInbox.Transaction> handler) {
        switch (how) {
            case 0 -> server.subscriber().endStreams(Status.UNAVAILABLE);
            case 1 -> deliveries().expire();
            default -> {
                running.get(running.size() - 1).close();
                start(handler);
            }
        }
    }

    @Test
    void after_an_outage_everything_is_handled_once() {
        start(noteEffect());
        send(Letters.names("a", 20));
        Await.until("the first effect", () -> !effects.isEmpty());
        server.stop();
        // Longer than the delivery timeout: the consumer has to subscribe anew.
        LockSupport.parkNanos(Duration.ofSeconds(4).toNanos());
        server.restart();
        send(List.of("b1"));
        awaitAllAcknowledged();
        assertThat(effectsOf("a")).isEqualTo(Letters.names("a", 20));
        assertThat(effectsOf("b")).containsExactly("b1");
    }

    @Test
    void a_key_waits_until_its_letter_can_be_published() {
        Fault fault = server.faults().topic(topic + ".dlt", Faults.ALWAYS, Status.PERMISSION_DENIED);
        EventHandler<InMemoryInbox.Transaction> effect = noteEffect();
        start((transaction, event) -> {
            if (event.id().equals("a1")) {
                throw new PermanentFailureException("Validation failed: product not found");
            }
            effect.handle(transaction, event);
        });
        send(List.of("a1", "a2", "b1"));
        fault.awaitMet();
        Await.until("the other key", () -> effects.contains("b1"));
        Await.until("its acknowledgement", () -> deliveries().unacknowledged() == 2);
        assertThat(effects).containsExactly("b1");

        fault.mend();
        awaitAllAcknowledged();
        assertThat(effects).containsExactly("b1", "a2");
        List<PubsubMessage> letters = topics.read(topic + ".dlt");
        assertThat(letters).hasSize(1);
        PubsubMessage letter = letters.get(0);
        JsonNode body = JsonMapper.shared().readTree(letter.getData().toByteArray());
        assertThat(body.propertyNames())
                .containsExactly("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");
        assertThat(body.get("eventId").asString()).isEqualTo("a1");
        assertThat(body.get("errorMessage").asString()).isEqualTo("Validation failed: product not found");
        assertThat(body.get("consumerService").asString()).isEqualTo("billing");
        assertThat(letter.getData().toStringUtf8()).contains("{\"name\":  \"a1\"}");
        assertThat(letter.getOrderingKey()).isEqualTo("a");
    }

    @Test
    void a_message_with_the_maximum_of_attributes_is_restored_from_its_letter() {
        Map<String, String> attributes = new HashMap<>(Map.of("event_id", "a1", "event_type", "placed"));
        while (attributes.size() < PreparedMessage.MAX_ATTRIBUTES) {
            attributes.put("a" + attributes.size(), "v");
        }
        PubsubMessage message = PubsubMessage.newBuilder()
                .setOrderingKey("a")
                .setData(ByteString.copyFromUtf8("{\"amount\": 4711}"))
                .putAllAttributes(attributes)
                .build();
        topics.publish(topic, List.of(message));
        AtomicBoolean mended = new AtomicBoolean();
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        EventConsumer consumer = start((transaction, event) -> {
            if (!mended.get()) {
                throw new PermanentFailureException("no such product");
            }
            event.message()
                    .headers()
                    .forEach(header ->
                            seen.add(header.name() + "=" + new String(header.value(), StandardCharsets.UTF_8)));
            seen.add(event.dataText());
        });
        Await.until("a dead letter", () -> consumer.statistics().dead() == 1);
        mended.set(true);
        try (PubSubDeadLetters box = PubSubDeadLetters.of(options)) {
            List<DeadLetterEntry> letters = box.list(topic + ".dlt", 10);
            assertThat(letters).hasSize(1);
            assertThat(box.sendBack(letters.get(0), new Actor("anna", "mended")))
                    .isTrue();
        }
        Await.until("it is handled", () -> consumer.statistics().handled() == 1);

        attributes.forEach((name, value) -> assertThat(seen).contains(name + "=" + value));
        assertThat(seen).contains("{\"amount\": 4711}");
    }

    @Test
    void a_message_sent_back_is_handled_once() {
        AtomicBoolean broken = new AtomicBoolean(true);
        EventHandler<InMemoryInbox.Transaction> effect = noteEffect();
        EventConsumer consumer = start((transaction, event) -> {
            if (broken.get()) {
                throw new PermanentFailureException("not yet");
            }
            effect.handle(transaction, event);
        });
        send(List.of("a1", "a2", "a3"));
        Await.until("three dead letters", () -> consumer.statistics().dead() == 3);
        broken.set(false);
        Actor person = new Actor("night shift", "mended");
        try (PubSubDeadLetters box = PubSubDeadLetters.of(options)) {
            List<DeadLetterEntry> letters = box.list(topic + ".dlt", 10);
            assertThat(letters)
                    .extracting(letter -> letter.eventId().orElseThrow())
                    .containsExactly("a1", "a2", "a3");
            assertThat(box.discard(letters.get(2), person)).isTrue();
            assertThat(SendBack.of(box, 100).run(letters, person, () -> true).done())
                    .isEqualTo(2);
            assertThat(box.list(topic + ".dlt", 10)).isEmpty();
        }
        Await.until("both handled", () -> consumer.statistics().handled() == 2);
        awaitAllAcknowledged();
        assertThat(effects).containsExactly("a1", "a2");
    }
}
