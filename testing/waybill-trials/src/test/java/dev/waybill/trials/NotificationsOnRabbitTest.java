package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code EventOutbox} to RabbitMQ as the notification producer's document describes it, by two processes of {@code waybill run},
 * with the guard: in normal running each event is once on its queue, and no failure loses one.
 */
class NotificationsOnRabbitTest {
    private static final int MINUTE = 60;
    private static final int EVERY_SECOND = 100;

    @Tag("full")
    @Test
    void no_event_is_lost_or_doubled() throws Exception {
        everythingGoesWrong(NotificationsDatabase.MARIADB, false, 400, Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @Tag("full")
    @CsvSource({"POSTGRESQL, false", "POSTGRESQL, true", "MARIADB, false", "MARIADB, true"})
    void no_event_of_ten_thousand_is_lost_or_doubled(NotificationsDatabase kind, boolean competing) throws Exception {
        everythingGoesWrong(kind, competing, 10_000, Duration.ofSeconds(10));
    }

    private static void everythingGoesWrong(NotificationsDatabase kind, boolean competing, int rows, Duration away)
            throws Exception {
        String run = "notifications-" + kind.name().toLowerCase(Locale.ROOT) + (competing ? "-c-" : "-o-") + rows;
        NotificationsScene.TrialSql database = kind.create();
        RabbitServer rabbit = TrialServers.rabbit();
        try (NotificationsScene scene = new NotificationsScene(run, database, competing)) {
            scene.write(rows / 2);
            List<RelayChild> processes = new ArrayList<>(List.of(scene.start("one"), scene.start("two")));
            scene.write(rows - rows / 2);
            scene.awaitProcessed();
            assertThat(scene.recordedAs("SUCCESS")).isEqualTo(rows);
            scene.say("a listener dies with " + scene.takeAndDie() + " messages that it has not acknowledged");
            Await.until("these to be ready again", () -> scene.ready() == rows);
            assertThat(scene.assertComplete(scene.arrived(), !competing)).isEmpty();
            scene.say(rows + " events, each once on its queue");

            scene.say("RabbitMQ goes away");
            rabbit.syncDeclarations();
            rabbit.stopImmediately();
            scene.write(rows / 10);
            Await.watch(away);
            assertThat(scene.count("status = 'FAILED'")).isZero();
            rabbit.restart();
            scene.awaitProcessed();

            scene.say("the database goes away");
            database.stopImmediately();
            Await.watch(away);
            database.restart();
            scene.write(rows / 10);
            scene.awaitProcessed();

            killBetweenConfirmAndMark(scene, processes, competing, rows / 10);
            scene.awaitProcessed();
            Set<Integer> repeated = scene.assertComplete(scene.arrived(), !competing);
            scene.say("of " + scene.written() + " events none is lost, " + repeated.size() + " came more than once");
            assertThat(repeated).as("events marked long before the failures").allMatch(number -> number >= rows);
            assertThat(scene.count("status <> 'PROCESSED'")).isZero();
            assertThat(scene.recordedAs("SUCCESS")).isEqualTo(scene.written());
        }
    }

    /**
     * In order, rows that somebody has locked are read and published but cannot be marked. Competing processes leave locked rows
     * out, so there all processes are killed while rows are being written.
     */
    private static void killBetweenConfirmAndMark(
            NotificationsScene scene, List<RelayChild> processes, boolean competing, int rows) throws Exception {
        long before = scene.ready();
        if (competing) {
            scene.write(rows);
            Await.until("the first messages to be there", () -> scene.ready() > before);
            kill(processes);
        } else {
            kill(processes);
            scene.write(rows);
            try (java.sql.Connection locks = scene.lockRows()) {
                processes.add(scene.start("three"));
                Await.until("rows to be published", () -> scene.ready() > before);
                kill(processes);
                locks.rollback();
            }
        }
        scene.say("killed with " + scene.count("status = 'PENDING'") + " rows that are not marked, "
                + (scene.ready() - before) + " of them published");
        processes.add(scene.start("four"));
    }

    private static void kill(List<RelayChild> processes) throws InterruptedException {
        for (RelayChild process : processes) {
            process.kill();
        }
    }

    @Test
    @Tag("full")
    void six_thousand_a_minute_with_the_settings_of_the_document() throws Exception {
        try (NotificationsScene scene =
                        new NotificationsScene("notifications-rate", NotificationsDatabase.MARIADB.create(), false);
                Connection connection = scene.connect()) {
            RelayChild process = scene.start("one");
            scene.write(1); // the relay declares the queues when it first sends
            scene.awaitProcessed();
            List<Long> latencies = Collections.synchronizedList(new ArrayList<>());
            List<Long> writtenAt = Collections.synchronizedList(new ArrayList<>(List.of(0L)));
            for (String queue : NotificationsScene.QUEUES.values()) {
                Channel channel = connection.createChannel();
                channel.basicConsume(
                        queue,
                        true,
                        (tag, message) -> {
                            long now = System.nanoTime();
                            int number = NotificationsScene.numberOf(message.getBody());
                            if (number > 0) {
                                latencies.add((now - writtenAt.get(number)) / 1_000_000);
                            }
                        },
                        tag -> {});
            }
            List<Long> resident = new ArrayList<>();
            long began = System.nanoTime();
            for (int second = 1; second <= MINUTE; second++) {
                writtenAt.addAll(Collections.nCopies(EVERY_SECOND, System.nanoTime()));
                scene.write(EVERY_SECOND);
                resident.add(residentMegabytes(process.pid()));
                Await.watch(Duration.ofNanos(began + Duration.ofSeconds(second).toNanos() - System.nanoTime()));
            }
            Await.until("everything to arrive", () -> latencies.size() >= scene.written() - 1);
            List<Long> sorted = latencies.stream().sorted().toList();
            scene.say(sorted.size() + " events in " + MINUTE + " s; latency p50 " + sorted.get(sorted.size() / 2)
                    + " ms, p99 " + sorted.get(sorted.size() * 99 / 100) + " ms, most " + sorted.get(sorted.size() - 1)
                    + " ms; resident memory " + resident.get(resident.size() / 3) + " MB after a third, "
                    + resident.get(resident.size() - 1) + " MB at the end");
            scene.awaitProcessed();
        }
    }

    private static long residentMegabytes(long pid) throws Exception {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElse(0L);
    }
}
