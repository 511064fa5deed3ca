package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Consumers that are killed after a commit and before the acknowledgement. */
class KilledConsumerTest {
    private static final int FEW = 2;
    private static final int MANY = 4;

    @Test
    void every_effect_happens_once_however_often_events_come_and_consumers_die() throws Exception {
        killAgainAndAgain(FEW, 1, false);
    }

    @Test
    @Tag("full")
    void every_effect_happens_once_through_twenty_deaths() throws Exception {
        killAgainAndAgain(MANY, 20, false);
    }

    @Test
    @Tag("full")
    void every_effect_happens_once_in_batches_too() throws Exception {
        killAgainAndAgain(MANY, 5, true);
    }

    private static void killAgainAndAgain(int instances, int kills, boolean batches) throws Exception {
        try (Trial trial = Trial.begin("killed-consumer")) {
            trial.database().execute(ConsumerSettings.TABLES);
            String topic = trial.topic("orders");
            ConsumedEvents sent = new ConsumedEvents(topic);
            List<String> ids = new ArrayList<>();
            ConsumerSettings billing = settings(trial, "billing", topic, batches);
            trial.start(settings(trial, "shipping", topic, batches));
            for (int i = 1; i < instances; i++) {
                trial.start(billing);
            }

            for (int kill = 0; kill < kills; kill++) {
                RelayChild doomed =
                        trial.start(billing.killedAfter(1 + trial.random().nextInt(10)));
                Await.until(doomed.name() + " to die", () -> {
                    ids.addAll(sent.sendShuffled(20, 50, trial.random()));
                    trial.watch(Duration.ofMillis(300), Duration.ofMillis(900));
                    return !doomed.isAlive();
                });
                trial.say(doomed.name() + " died after a commit");
            }
            awaitAcknowledged(sent, "billing");
            awaitAcknowledged(sent, "shipping");

            trial.say(sent.sent() + " messages of " + ids.size() + " events");
            for (String consumer : List.of("billing", "shipping")) {
                assertThat(effects(trial, consumer)).containsExactlyInAnyOrderElementsOf(ids);
            }
        }
    }

    private static ConsumerSettings settings(Trial trial, String consumer, String topic, boolean batches) {
        return new ConsumerSettings(
                trial.database().url(), TrialServers.kafka().bootstrapServers(), consumer, topic, batches, 0);
    }

    private static void awaitAcknowledged(ConsumedEvents sent, String consumer) throws Exception {
        long all = sent.sent();
        Await.until(
                "everything acknowledged by " + consumer, Duration.ofMinutes(2), () -> sent.committed(consumer) == all);
    }

    static List<String> effects(Trial trial, String consumer) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = trial.database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select event_id from effect where consumer = '" + consumer + "'")) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }
}
