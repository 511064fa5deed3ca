package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** A journal on a worker that makes transactions. */
class ExactlyOnceTaskTest {
    private final Journal journal = new Journal();

    @Test
    void every_event_is_committed_once_and_in_order_whatever_is_not_committed() {
        long seed = Seeds.one();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<String, String> configuration = journal.configuration();
        configuration.put("batch", "10");
        configuration.put("transaction.max-events", "25");
        IntStream.range(0, 300).forEach(i -> journal.append("k" + i % 7, i));
        try (Worker worker = new Worker(configuration, true)) {
            while (worker.committed().size() < 300) {
                List<SourceRecord> records = worker.poll();
                switch (random.nextInt(3)) {
                    case 0 -> worker.restart();
                    case 1 -> {
                        // As when a worker stops while it repeats the rest.
                        worker.commit(records.subList(0, random.nextInt(records.size() + 1)));
                        worker.restart();
                    }
                    default -> worker.commit(records);
                }
            }
            assertThat(worker.values())
                    .containsExactlyElementsOf(
                            IntStream.range(0, 300).mapToObj(Integer::toString).toList());
        }
    }

    @Test
    void what_a_transformation_drops_does_not_stop_the_rest() {
        try (Worker worker = new Worker(journal.configuration(), true)) {
            journal.append("a", 1);
            assertThat(worker.poll()).hasSize(1);
            // Connect tells nothing of a poll that it has dropped as a whole, and asks again.
            journal.append("a", 2);
            worker.commitUntil(1);
            assertThat(worker.values()).containsExactly("2");
            worker.restart();
            journal.append("a", 3);
            worker.commitUntil(2);
            assertThat(worker.values()).containsExactly("2", "3");
        }
    }

    @Test
    void the_rest_of_a_poll_that_a_pause_has_divided_is_not_taken_for_committed() {
        IntStream.range(0, 10).forEach(i -> journal.append("a", i));
        try (Worker worker = new Worker(journal.configuration(), true)) {
            List<SourceRecord> records = worker.poll();
            assertThat(records).hasSize(10);
            worker.commit(records.subList(0, 4));
            // Connect has sent the rest in a transaction that the next poll ends, and asks for more.
            assertThat(worker.pollOnce()).isEmpty();
            worker.restart();
            worker.commitUntil(10);
            assertThat(worker.values())
                    .containsExactlyElementsOf(
                            IntStream.range(0, 10).mapToObj(Integer::toString).toList());
        }
    }

    @Test
    void a_crash_of_postgresql_repeats_nothing() {
        try (PostgresServer server = PostgresServer.start()) {
            Journal own = new Journal(server);
            IntStream.range(0, 10).forEach(i -> own.append("a", i));
            Map<String, String> configuration = own.configuration();
            configuration.put("transaction.max-events", "3");
            configuration.put("batch", "3");
            try (Worker worker = new Worker(configuration, true)) {
                List<SourceRecord> before = worker.poll();
                server.stopImmediately();
                server.restart();
                worker.commit(before);
                worker.commitUntil(10);
                assertThat(worker.values())
                        .containsExactlyElementsOf(IntStream.range(0, 10)
                                .mapToObj(Integer::toString)
                                .toList());
            }
        }
    }

    @Test
    void each_poll_is_a_transaction() {
        try (Worker worker = new Worker(journal.configuration(), true)) {
            worker.pollOnce();
            worker.pollOnce();
            assertThat(worker.commitsAsked()).isEqualTo(2);
        }
    }

    @Test
    void what_the_producer_would_refuse_is_dead_and_the_rest_flows() {
        Map<String, String> configuration = journal.configuration();
        configuration.put("max-message-bytes", "2000");
        configuration.put("route.by", "stored-topic");
        Event good = Event.of(Journal.TYPE)
                .aggregate("order", "1")
                .payload(Payload.json("1"))
                .topic("orders");
        journal.append(
                good,
                Event.of(Journal.TYPE)
                        .aggregate("order", "1")
                        .payload(Payload.json("\"" + "x".repeat(3000) + "\""))
                        .topic("orders"),
                Event.of(Journal.TYPE)
                        .aggregate("order", "1")
                        .payload(Payload.json("2"))
                        .topic("orders/eu"),
                Event.of(Journal.TYPE)
                        .aggregate("order", "1")
                        .payload(Payload.binary(new byte[] {(byte) 0xff}, "application/octet-stream"))
                        .topic("orders"),
                Event.of(Journal.TYPE)
                        .aggregate("order", "1")
                        .payload(Payload.json("4"))
                        .topic("__consumer_offsets"),
                Event.of(Journal.TYPE)
                        .aggregate("order", "1")
                        .payload(Payload.json("\"" + "x".repeat(700) + "\""))
                        .header("\u6f22".repeat(200) + 1, "a name with three bytes for each character")
                        .header("\u6f22".repeat(200) + 2, "another")
                        .topic("orders"),
                Event.of(Journal.TYPE)
                        .aggregate("order", "1")
                        .payload(Payload.json("3"))
                        .topic("orders"));
        try (Worker worker = new Worker(configuration, true)) {
            worker.commitUntil(2);
            assertThat(worker.values()).containsExactly("1", "3");
        }
        assertThat(journal.dead()).hasSize(5);
        assertThat(journal.dead().get(0)).contains("2000");
        assertThat(journal.dead().get(1)).contains("orders/eu");
        assertThat(journal.dead().get(2)).contains("value.as=bytes");
        assertThat(journal.dead().get(3)).contains("__consumer_offsets");
        assertThat(journal.dead().get(4)).contains("2000");
    }

    @Test
    void a_transaction_of_dead_events_alone_needs_no_record() {
        Map<String, String> configuration = journal.configuration();
        configuration.put("route.topic", "a/b");
        journal.append("a", 1);
        try (Worker worker = new Worker(configuration, true)) {
            Await.until("the event is dead", () -> {
                assertThat(worker.pollOnce()).isEmpty();
                return journal.dead().size() == 1;
            });
        }
    }

    @Test
    void records_have_the_key_headers_and_time_that_are_asked_for() {
        Map<String, String> configuration = journal.configuration();
        configuration.put("format", "debezium");
        configuration.put("route.template", "outbox.event.{aggregateType}");
        configuration.put("message.timestamp", "created-at");
        Event event = Event.of(Journal.TYPE).aggregate("order", "1").payload(Payload.json("{\"a\": 1}"));
        journal.append(event);
        try (Worker worker = new Worker(configuration, true)) {
            SourceRecord record = worker.poll().get(0);
            assertThat(record.topic()).isEqualTo("outbox.event.order");
            assertThat(record.key()).isEqualTo("1");
            assertThat(record.value()).isEqualTo("{\"a\": 1}");
            assertThat(record.timestamp()).isPositive();
            assertThat(record.headers()).hasSize(1);
            assertThat(record.headers().lastWithName("id").value()).isEqualTo(event.id());
        }
    }

    @Test
    void an_event_with_a_time_that_kafka_refuses_is_dead_and_the_rest_flows() {
        Map<String, String> configuration = journal.configuration();
        configuration.put("message.timestamp", "created-at");
        IntStream.range(0, 4).forEach(i -> journal.append("a", i));
        journal.execute("update waybill.event set created_at = '1969-07-20' where payload::text = '1'");
        journal.execute("update waybill.event set created_at = now() + interval '2 hours' where payload::text = '2'");
        try (Worker worker = new Worker(configuration, true)) {
            worker.commitUntil(2);
            assertThat(worker.values()).containsExactly("0", "3");
        }
        assertThat(journal.dead()).hasSize(2).allMatch(error -> error.contains("message.timestamp=none"));
    }

    @Test
    void nothing_is_lost_or_repeated_while_transactions_are_switched_off_and_on() {
        try (Worker worker = new Worker(journal.configuration(), true)) {
            for (int i = 0; i < 6; i++) {
                journal.append("a", i);
                worker.commitUntil(i + 1);
                int published = i + 1;
                Await.until("the position is saved", () -> {
                    worker.pollOnce();
                    return journal.backlog() == 0 || worker.committed().size() > published;
                });
                worker.restart(i % 2 == 1);
            }
            journal.append("a", 6);
            worker.commitUntil(7);
            assertThat(worker.values()).containsExactly("0", "1", "2", "3", "4", "5", "6");
        }
    }

    @Test
    void a_poll_returns_within_a_second_also_without_a_database() {
        Map<String, String> configuration = journal.configuration();
        configuration.put("store.url", "jdbc:postgresql://127.0.0.1:1/nowhere");
        for (Map<String, String> each : List.of(journal.configuration(), configuration)) {
            try (Worker worker = new Worker(each, true)) {
                long begun = System.nanoTime();
                assertThat(worker.pollOnce()).isEmpty();
                // A busy machine adds seconds; a poll that waits for events or the database never returns.
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            }
        }
    }

    @Test
    void a_worker_without_transactions_is_refused_if_they_are_required() {
        Map<String, String> configuration = journal.configuration();
        configuration.put("exactly.once.support", "required");
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> new Worker(configuration, false).close())
                .withMessageContaining("exactly.once.source.support=enabled");
    }
}
