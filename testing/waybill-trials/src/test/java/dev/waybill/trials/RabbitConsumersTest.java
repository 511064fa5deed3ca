package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.inbox.SendBack;
import dev.waybill.rabbitmq.RabbitDeadLetters;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.spi.Destination;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Consumers on a real RabbitMQ that are killed, whose messages fail, and whose broker becomes unavailable. */
class RabbitConsumersTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Trial trial;
    private ConsumedQueues queues;

    @BeforeEach
    void begin() throws Exception {
        TrialServers.rabbit();
        trial = Trial.begin("rabbit-consumers");
        trial.database().execute(ConsumerSettings.TABLES);
        queues = new ConsumedQueues(
                TrialServers.rabbit(), "orders-" + trial.random().nextInt(1_000_000));
    }

    @AfterEach
    void end() {
        if (trial != null) {
            trial.close();
        }
    }

    @Test
    @Tag("full")
    void every_effect_happens_once_however_often_events_come_and_a_consumer_dies() throws Exception {
        killAgainAndAgain(1);
    }

    @Test
    @Tag("full")
    void every_effect_happens_once_through_twenty_deaths() throws Exception {
        killAgainAndAgain(20);
    }

    private void killAgainAndAgain(int kills) throws Exception {
        ConsumerSettings billing = settings("billing");
        ConsumerSettings shipping = settings("shipping");
        List<String> ids = new ArrayList<>();
        trial.start(shipping);
        trial.start(billing);
        for (int kill = 0; kill < kills; kill++) {
            RelayChild doomed =
                    trial.start(billing.killedAfter(1 + trial.random().nextInt(10)));
            Await.until(doomed.name() + " to die", () -> {
                ids.addAll(queues.sendShuffled(20, 50, trial.random()));
                trial.watch(Duration.ofMillis(50), Duration.ofMillis(200));
                return !doomed.isAlive();
            });
            trial.say(doomed.name() + " died after a commit");
        }
        awaitEmpty(billing);
        awaitEmpty(shipping);

        for (String consumer : List.of("billing", "shipping")) {
            assertThat(effects(consumer)).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void a_listener_killed_before_its_acknowledgement_recovers_by_itself() throws Exception {
        ConsumerSettings billing = settings("billing");
        RelayChild doomed = trial.start(billing.killedAfter(1));
        String id = queues.send("k", "{}");
        Await.until("its death", () -> !doomed.isAlive());
        assertThat(effects("billing")).containsExactly(id);
        Await.until("RabbitMQ to take it back", () -> queues.held(billing.topic()) == 1);

        trial.start(billing);
        awaitEmpty(billing);
        assertThat(effects("billing")).containsExactly(id);
    }

    @Test
    void without_a_place_for_dead_letters_nothing_is_lost_and_one_sent_back_is_handled_once() throws Exception {
        ConsumerSettings billing = settings("billing");
        String letters = billing.topic() + ".dlt";
        AtomicBoolean broken = new AtomicBoolean(true);
        EventHandler<Connection> handler = failingWhile(broken, billing.leaveEffect());
        String poison = queues.send("poisoned", "{\"poison\":  1e2}");
        String after = queues.send("poisoned", "{}");
        String other = queues.send("other", "{}");

        try (Destination post = billing.deadLetters();
                RabbitDeadLetters box = RabbitDeadLetters.of(RabbitOptions.of(billing.broker()));
                EventConsumer consumer = start(billing, post, handler)) {
            Await.until("the other key", () -> effects("billing").contains(other));
            Await.until("two that are open", () -> queues.held(billing.topic()) == 2);
            assertThat(effects("billing")).containsExactly(other);

            queues.declare(letters);
            Await.until("what was behind it", () -> effects("billing").contains(after));
            Await.until("nothing open", () -> queues.held(billing.topic()) == 0);
            assertLetter(letters, poison);
            broken.set(false);
            List<DeadLetterEntry> dead = box.list(letters, 10);
            assertThat(SendBack.of(box, 100)
                            .run(dead, new Actor("anna", "mended"), () -> true)
                            .done())
                    .isEqualTo(1);
            Await.until("it", () -> effects("billing").contains(poison));
            assertThat(consumer.statistics().dead()).isEqualTo(1);
        }
        assertThat(queues.held(letters)).isZero();
        assertThat(effects("billing")).containsExactly(other, after, poison);
    }

    @Test
    void after_rabbitmq_was_away_everything_is_handled_once() throws Exception {
        ConsumerSettings billing = settings("billing");
        List<String> ids = new ArrayList<>(queues.sendShuffled(50, 10, trial.random()));
        try (Destination post = billing.deadLetters();
                EventConsumer consumer = start(billing, post, billing.leaveEffect())) {
            Await.until("a first effect", () -> consumer.statistics().handled() > 0);
            // An orderly stop: a node that is killed right after a declaration may lose it.
            TrialServers.rabbit().stop();
            trial.say("RabbitMQ is away");
            TrialServers.rabbit().restart();
            ids.addAll(queues.sendShuffled(50, 10, trial.random()));
            awaitEmpty(billing);
        }
        assertThat(effects("billing")).containsExactlyInAnyOrderElementsOf(ids);
    }

    private static EventHandler<Connection> failingWhile(AtomicBoolean broken, EventHandler<Connection> effect) {
        return (connection, event) -> {
            if (broken.get() && event.dataText().contains("poison")) {
                throw new PermanentFailureException("Validation failed: product not found");
            }
            effect.handle(connection, event);
        };
    }

    private static EventConsumer start(ConsumerSettings settings, Destination post, EventHandler<Connection> handler)
            throws SQLException {
        return settings.plan(post, handler, transactions -> transactions, ConsumerOptions.defaults())
                .start();
    }

    private void assertLetter(String queue, String id) {
        AtomicReference<GetResponse> got = new AtomicReference<>();
        queues.run(channel -> got.set(channel.basicGet(queue, false)));
        GetResponse letter = got.get();
        JsonNode body = JSON.readTree(letter.getBody());
        assertThat(body.propertyNames())
                .containsExactly("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");
        assertThat(body.get("eventId").asString()).isEqualTo(id);
        assertThat(body.get("errorMessage").asString()).isEqualTo("Validation failed: product not found");
        assertThat(body.get("consumerService").asString()).isEqualTo("billing");
        assertThat(new String(letter.getBody(), StandardCharsets.UTF_8)).contains("{\"poison\":  1e2}");
        assertThat(letter.getProps().getMessageId()).isEqualTo(id);
        assertThat(letter.getProps().getType()).isEqualTo(ConsumerSettings.TYPE);
        assertThat(letter.getProps().getTimestamp().toInstant())
                .as("when it was given up, in seconds")
                .isBetween(
                        Instant.parse(body.get("failedAt").asString()).minusSeconds(1),
                        Instant.parse(body.get("failedAt").asString()));
    }

    private ConsumerSettings settings(String consumer) {
        return new ConsumerSettings(
                trial.database().url(), TrialServers.rabbit().uri(), consumer, queues.queue(consumer), false, 0);
    }

    private void awaitEmpty(ConsumerSettings settings) throws Exception {
        Await.until(settings.topic() + " to be empty", () -> queues.held(settings.topic()) == 0);
    }

    private List<String> effects(String consumer) throws SQLException {
        return KilledConsumerTest.effects(trial, consumer);
    }
}
