package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.EventIds;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hostile messages become dead letters and affect no other message. The consumer has a heap of 256 MB. */
class HostileMessagesTest {
    private static final int SOME = 1_000;
    private static final int MANY = 10_000;
    private static final int A_BATCH = 100;
    private static final int GOOD_KEYS = 20;

    private interface Make {
        TrialBroker on(Trial trial) throws Exception;
    }

    @Test
    void on_kafka() throws Exception {
        amongHostileMessages(SOME, trial -> TrialBroker.kafka(trial, "hostile"));
    }

    @Tag("full")
    @Test
    void on_rabbitmq() throws Exception {
        amongHostileMessages(SOME, trial -> TrialBroker.rabbit(trial, "hostile"));
    }

    @Tag("full")
    @Test
    void on_pubsub() throws Exception {
        amongHostileMessages(SOME, HostileMessagesTest::pubSub);
    }

    @Test
    @Tag("full")
    void ten_thousand_on_kafka() throws Exception {
        amongHostileMessages(MANY, trial -> TrialBroker.kafka(trial, "hostile"));
    }

    @Test
    @Tag("full")
    void ten_thousand_on_rabbitmq() throws Exception {
        amongHostileMessages(MANY, trial -> TrialBroker.rabbit(trial, "hostile"));
    }

    @Test
    @Tag("full")
    void ten_thousand_on_pubsub() throws Exception {
        amongHostileMessages(MANY, HostileMessagesTest::pubSub);
    }

    private static TrialBroker pubSub(Trial trial) throws Exception {
        Optional<PubSubEmulator> emulator = PubSubEmulator.startIfInstalled();
        assumeTrue(emulator.isPresent(), "the emulator of Pub/Sub is not installed");
        return TrialBroker.pubSub(trial.opened(emulator.get()), "hostile");
    }

    private static void amongHostileMessages(int hostile, Make make) throws Exception {
        try (Trial trial = Trial.begin("hostile-messages")) {
            trial.database().execute(ConsumerSettings.TABLES);
            TrialBroker broker = make.on(trial);
            RelayChild consumer = trial.start(broker.consumer(trial.database().url(), "billing"));
            HostileMessages messages = new HostileMessages(trial.random());
            List<String> good = new ArrayList<>();
            for (int sent = 0; sent < hostile; sent += A_BATCH) {
                List<HostileMessages.Raw> batch = new ArrayList<>();
                for (int i = 0; i < A_BATCH; i++) {
                    batch.add(messages.next());
                    if (i % 5 == 0) {
                        batch.add(good(good, sent + i));
                    }
                }
                broker.sendRaw(batch);
            }
            trial.say(hostile + " hostile messages, " + good.size() + " good ones");
            Await.until(
                    "the effect of every good event",
                    Duration.ofMinutes(5),
                    () -> new HashSet<>(KilledConsumerTest.effects(trial, "billing")).containsAll(good));
            // A consumer that still works handles this one too.
            broker.sendRaw(List.of(good(good, 0), good(good, 1), good(good, 2)));
            Await.until(
                    "the last",
                    Duration.ofMinutes(5),
                    () -> new HashSet<>(KilledConsumerTest.effects(trial, "billing")).containsAll(good));
            trial.end(consumer);

            assertThat(KilledConsumerTest.effects(trial, "billing"))
                    .filteredOn(new HashSet<>(good)::contains)
                    .containsExactlyInAnyOrderElementsOf(good);
        }
    }

    private static HostileMessages.Raw good(List<String> ids, int number) {
        String id = EventIds.next();
        ids.add(id);
        return new HostileMessages.Raw(
                "good-" + number % GOOD_KEYS, Shuffled.envelope(id, "{\"n\":" + number + "}"), Map.of());
    }
}
