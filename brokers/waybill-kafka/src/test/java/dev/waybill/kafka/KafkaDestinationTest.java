package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.DestinationHarness.Received;
import dev.waybill.tck.destination.Sender;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Behaviour of Kafka, beyond the contract of all destinations. */
class KafkaDestinationTest {
    @AutoClose
    private static final Broker broker = new Broker();

    @Test
    void while_a_topic_is_looked_up_its_key_waits_in_order_and_others_are_sent() throws Exception {
        String known = broker.newTopic();
        String late = Broker.unusedTopic();
        KafkaOptions patient = broker.options().topicTimeout(Duration.ofSeconds(60));
        try (Sender destination = new Sender(KafkaDestination.of(patient))) {
            CompletionStage<List<Delivery>> waiting = destination.publish(
                    List.of(letter(known, "k", "1"), letter(late, "k", "2"), letter(known, "k", "3")));
            CompletionStage<List<Delivery>> behind =
                    destination.publish(List.of(letter(late, "k", "4"), letter(known, "k", "5")));
            CompletionStage<List<Delivery>> others = destination.publish(List.of(letter(known, "other", "6")));

            assertThat(outcomes(others)).containsExactly(DELIVERED);
            // Another partition: what was sent before may arrive later.
            Await.until("1 arrives", () -> texts(known).contains("1"));
            assertThat(texts(known)).containsExactlyInAnyOrder("1", "6");
            assertThat(waiting.toCompletableFuture()).isNotDone();
            assertThat(behind.toCompletableFuture()).isNotDone();

            broker.create(late, Map.of());
            assertThat(outcomes(waiting)).containsOnly(DELIVERED);
            assertThat(outcomes(behind)).containsOnly(DELIVERED);
            assertThat(texts(known)).containsSubsequence("1", "3", "5");
            assertThat(texts(late)).containsExactly("2", "4");
        }
    }

    @Test
    void an_abort_answers_messages_that_wait_for_a_topic() throws Exception {
        KafkaOptions patient = broker.options().topicTimeout(Duration.ofSeconds(60));
        try (Sender destination = new Sender(KafkaDestination.of(patient))) {
            CompletionStage<List<Delivery>> waiting =
                    destination.publish(List.of(letter(Broker.unusedTopic(), "k", "1")));
            destination.abort();
            assertThat(outcomes(waiting)).singleElement().isInstanceOf(Unavailable.class);
            assertThat(outcomes(destination.publish(List.of(letter(broker.newTopic(), "k", "1")))))
                    .containsExactly(DELIVERED);
        }
    }

    @Test
    void a_topic_is_created_automatically() throws Exception {
        try (KafkaServer generous = KafkaServer.start();
                Sender destination =
                        new Sender(KafkaDestination.of(Map.of("bootstrap.servers", generous.bootstrapServers())))) {
            for (String topic : List.of("a", "b", "c")) {
                assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                        .containsExactly(DELIVERED);
            }
        }
    }

    /** Partitions of a new topic are shown before they take messages: the more there are, the longer. */
    @Test
    void the_first_events_of_a_new_topic_are_not_overtaken() throws Exception {
        String topic = Broker.unusedTopic();
        Map<String, List<String>> sent = new HashMap<>();
        KafkaOptions options =
                broker.options().deliveryTimeout(KafkaOptions.DELIVERY_TIMEOUT).topicTimeout(Duration.ofSeconds(30));
        try (Sender destination = new Sender(KafkaDestination.of(options))) {
            List<CompletionStage<List<Delivery>>> stages = new ArrayList<>();
            broker.create(topic, 100, Map.of());
            for (int batch = 0; batch < 200; batch++) {
                List<OutboundMessage> messages = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    String text = "k" + i + "/" + batch;
                    sent.computeIfAbsent("k" + i, k -> new ArrayList<>()).add(text);
                    messages.add(letter(topic, "k" + i, text));
                }
                stages.add(destination.publish(messages));
            }
            for (CompletionStage<List<Delivery>> stage : stages) {
                assertThat(outcomes(stage)).containsOnly(DELIVERED);
            }
        }
        assertThat(byKey(topic)).isEqualTo(sent);
    }

    @Test
    void an_abort_frees_a_publish_that_waits_for_room_in_the_buffer() throws Exception {
        String topic = broker.newTopic();
        broker.throttle("slow");
        try (Sender destination = new Sender(KafkaDestination.of(smallBuffer("slow")))) {
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                    .containsExactly(DELIVERED);
            abortFreesPublish(destination, topic, ".BufferPool");
        }
    }

    @Test
    void an_abort_frees_a_publish_that_is_held_up_by_an_outage() throws Exception {
        String topic = broker.newTopic();
        try (Sender destination = new Sender(KafkaDestination.of(smallBuffer("cut-off")))) {
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                    .containsExactly(DELIVERED);
            broker.server().stopBroker();
            abortFreesPublish(destination, topic, ".KafkaProducer");
        } finally {
            broker.server().restartBroker();
        }
    }

    private static KafkaOptions smallBuffer(String clientId) {
        Map<String, String> properties = new HashMap<>(broker.options().properties());
        properties.put("client.id", clientId);
        properties.put("buffer.memory", "131072");
        properties.put("batch.size", "16384");
        return KafkaOptions.of(properties).deliveryTimeout(Duration.ofSeconds(60));
    }

    /** More than fits is handed over on a thread that gets stuck in the given class. */
    private static void abortFreesPublish(Sender destination, String topic, String stuckIn) throws Exception {
        byte[] incompressible = new byte[10_000];
        new Random(7).nextBytes(incompressible);
        List<OutboundMessage> batch = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            batch.add(letter(topic, "k" + i, "large-" + i, incompressible));
        }
        CompletableFuture<CompletionStage<List<Delivery>>> published = new CompletableFuture<>();
        Thread relay = new Thread(() -> published.complete(destination.publish(batch)), "relay");
        relay.start();
        Broker.eventually(() -> relay.getState() == Thread.State.TIMED_WAITING && isIn(relay, stuckIn));
        destination.abort();

        List<Delivery> outcomes = outcomes(published.get(30, TimeUnit.SECONDS));
        assertThat(outcomes).hasSize(100);
        assertThat(outcomes.get(99))
                .as("the last was never sent, because of the abort and nothing else")
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        away -> assertThat(away.error()).contains("when the relay stopped publishing"));
        relay.join();
    }

    @Test
    void a_relay_that_has_not_seen_a_failure_does_not_send_past_it() throws Exception {
        String topic = broker.newTopic();
        try (Sender destination = new Sender(KafkaDestination.of(broker.options()))) {
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                    .containsExactly(DELIVERED);
            broker.server().stopBroker();
            CompletionStage<List<Delivery>> failing = destination.publish(List.of(letter(topic, "k", "2")));
            assertThat(outcomes(failing)).singleElement().isInstanceOf(Unavailable.class);
            broker.server().restartBroker();
            assertThat(outcomes(destination.publishUnseeing(List.of(letter(topic, "k", "3")))))
                    .singleElement()
                    .isInstanceOf(Unavailable.class);
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "2"), letter(topic, "k", "3")))))
                    .containsExactly(DELIVERED, DELIVERED);
            assertThat(texts(topic)).containsExactly("1", "2", "3");
        } finally {
            broker.server().restartBroker();
        }
    }

    @Test
    void closing_ends_its_threads() throws Exception {
        Sender destination = new Sender(KafkaDestination.of(broker.options()));
        assertThat(outcomes(destination.publish(List.of(letter(broker.newTopic(), "k", "1")))))
                .containsExactly(DELIVERED);
        List<Thread> before = threads();
        assertThat(before).isNotEmpty();
        destination.close();
        Broker.eventually(() -> before.stream().noneMatch(Thread::isAlive));
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-kafka-topics")
                        || thread.getName().startsWith("kafka-producer-network-thread"))
                .toList();
    }

    private static boolean isIn(Thread thread, String className) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(element -> element.getClassName().endsWith(className));
    }

    private static Map<String, List<String>> byKey(String topic) {
        Map<String, List<String>> texts = new HashMap<>();
        for (Received received : broker.everythingOn(topic)) {
            String key = new String(received.key(), StandardCharsets.UTF_8);
            texts.computeIfAbsent(key, k -> new ArrayList<>()).add(text(received));
        }
        return texts;
    }

    private static List<String> texts(String topic) {
        return broker.everythingOn(topic).stream()
                .map(KafkaDestinationTest::text)
                .toList();
    }

    private static String text(Received received) {
        return new String(received.value(), StandardCharsets.UTF_8);
    }
}
