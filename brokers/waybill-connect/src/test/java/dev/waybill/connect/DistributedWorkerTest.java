package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The connector on a real worker with exactly-once support. */
class DistributedWorkerTest {
    @AutoClose
    private static final KafkaServer kafka = ConnectWorker.startKafka();

    private final Journal journal = new Journal();

    private Map<String, String> configuration(String topic) {
        Map<String, String> configuration = journal.configuration();
        configuration.putAll(Map.of(
                "connector.class", WaybillSourceConnector.class.getName(),
                "tasks.max", "1",
                "exactly.once.support", "required",
                "route.topic", topic,
                "transaction.max-events", "20",
                "batch", "20",
                // A worker that starts waits for the end of an open transaction.
                "producer.override.transaction.timeout.ms", "5000",
                "topic.creation.default.partitions", "1",
                "topic.creation.default.replication.factor", "1"));
        return configuration;
    }

    @Test
    void a_killed_worker_repeats_nothing_and_a_reset_replays() throws Exception {
        IntStream.range(0, 400).forEach(i -> journal.append("k" + i % 5, i));
        try (ConnectWorker worker = ConnectWorker.start("one", "one", kafka.bootstrapServers());
                CommittedRecords seen = new CommittedRecords(kafka.bootstrapServers(), "one-orders")) {
            Await.until("the worker answers", worker::isReady);
            worker.until(201, () -> worker.put("orders", configuration("one-orders")));
            Await.until("the first events", () -> seen.values().size() >= 40);
            worker.kill();
            worker.start();
            Await.until(
                    () -> "all events; there are " + seen.values().size(),
                    () -> seen.values().size() >= 400);
            assertThat(seen.values()).containsExactlyElementsOf(numbers(400));

            assertThat(worker.get("/connectors/orders/offsets").body())
                    .contains("orders@", "\"window\"", "\"seq\":400");
            worker.until(204, () -> worker.put("/connectors/orders/stop"));
            String offsets = worker.get("/connectors/orders/offsets").body();
            worker.until(
                    500,
                    () -> worker.patch(
                            "/connectors/orders/offsets",
                            offsets.replaceFirst("\\{\"window\"[^}]*}", "{\"from\":\"yesterday\"}")));
            assertThat(worker.get("/connectors/orders/offsets").body()).isEqualTo(offsets);
            worker.until(200, () -> worker.delete("/connectors/orders/offsets"));
            assertThat(worker.get("/connectors/orders/offsets").body()).isEqualTo("{\"offsets\":[]}");
            worker.until(202, () -> worker.put("/connectors/orders/resume"));
            Await.until("all events again", () -> seen.values().size() >= 800);
            assertThat(seen.values().subList(400, 800)).containsExactlyElementsOf(numbers(400));
        }
    }

    @Test
    @Tag("full")
    void two_workers_that_are_killed_ten_times_under_load_repeat_nothing() throws Exception {
        Map<String, String> configuration = configuration("two-orders");
        configuration.put("transaction.max-events", "500");
        configuration.put("batch", "200");
        configuration.put("lease.ms", "3000");
        try (ConnectWorker first = ConnectWorker.start("two-first", "two", kafka.bootstrapServers());
                ConnectWorker second = ConnectWorker.start("two-second", "two", kafka.bootstrapServers());
                CommittedRecords seen = new CommittedRecords(kafka.bootstrapServers(), "two-orders");
                WritersUnderLoad writers = new WritersUnderLoad(journal, TimeUnit.MILLISECONDS.toNanos(40))) {
            Await.until("both workers answer", () -> first.isReady() && second.isReady());
            first.until(201, () -> first.put("orders", configuration));
            for (int kill = 1; kill <= 10; kill++) {
                int before = seen.read().size();
                Await.until("events before kill " + kill, () -> seen.read().size() >= before + 500);
                // A worker that has come back may get the task.
                Await.until(
                        "one of the workers runs the task",
                        () -> first.runsTaskOf("orders", second) || second.runsTaskOf("orders", first));
                boolean onFirst = first.runsTaskOf("orders", second);
                ConnectWorker killed = onFirst ? first : second;
                ConnectWorker other = onFirst ? second : first;
                killed.kill();
                Await.until("the other worker has the task", () -> other.runsTaskOf("orders", other));
                killed.start();
                Await.until("the killed worker answers", killed::isReady);
            }
            writers.stop();
            Await.until(
                    () -> "all " + writers.appended() + " events; there are "
                            + seen.read().size(),
                    () -> seen.read().size() >= writers.appended());
            System.out.println("10 kills: " + writers.appended() + " events appended, "
                    + seen.read().size() + " seen by a read_committed consumer");
            assertThat(seen.read()).hasSize(writers.appended());
            for (int writer = 0; writer < writers.appendedByKey().size(); writer++) {
                String key = "k" + writer;
                assertThat(seen.read().stream()
                                .filter(record -> record.key().equals(key))
                                .map(ConsumerRecord::value)
                                .toList())
                        .containsExactlyElementsOf(
                                numbers(writers.appendedByKey().get(writer)));
            }
        }
    }

    @Test
    @Tag("full")
    void neither_dropped_records_nor_a_pause_nor_a_stopped_database_hold_up_what_follows() throws Exception {
        Map<String, String> configuration = configuration("pause-orders");
        Map<String, String> dropping = new HashMap<>(configuration);
        dropping.put("transforms", "drop");
        dropping.put("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter");
        try (PostgresServer server = PostgresServer.start();
                ConnectWorker worker = ConnectWorker.start("pause", "pause", kafka.bootstrapServers());
                CommittedRecords seen = new CommittedRecords(kafka.bootstrapServers(), "pause-orders")) {
            Journal own = new Journal(server);
            dropping.put("store.url", own.url());
            configuration.put("store.url", own.url());
            IntStream.range(0, 100).forEach(i -> own.append("a", -1));
            Await.until("the worker answers", worker::isReady);
            worker.until(201, () -> worker.put("orders", dropping));
            Await.until(
                    "the relay has passed what is dropped",
                    () -> own.texts("select 1 from waybill.relay").size() == 1 && own.backlog() == 0);

            List<String> epoch = own.texts("select epoch from waybill.relay");
            worker.until(200, () -> worker.put("orders", configuration));
            Await.until(
                    "the task has its new configuration",
                    () -> !own.texts("select epoch from waybill.relay").equals(epoch));
            IntStream.range(0, 10).forEach(i -> own.append("a", i));
            Await.until("what is not dropped any more", () -> seen.values().equals(numbers(10)));

            worker.until(202, () -> worker.put("/connectors/orders/pause"));
            IntStream.range(10, 20).forEach(i -> own.append("a", i));
            // Longer than a transaction may be open.
            Await.watch(Duration.ofSeconds(10));
            seen.send("from another producer");
            Await.until(
                    "a record of another producer during the pause",
                    () -> seen.values().contains("from another producer"));
            worker.until(202, () -> worker.put("/connectors/orders/resume"));
            Await.until(
                    "what was appended during the pause", () -> ownValues(seen).equals(numbers(20)));

            server.stopImmediately();
            Await.watch(Duration.ofSeconds(3));
            server.restart();
            IntStream.range(20, 30).forEach(i -> own.append("a", i));
            Await.until(
                    "what was appended after the crash", () -> ownValues(seen).equals(numbers(30)));
            assertThat(worker.runsTaskOf("orders", worker)).isTrue();
        }
    }

    private static List<String> ownValues(CommittedRecords seen) {
        return seen.read().stream()
                .filter(record -> record.key() != null)
                .map(ConsumerRecord::value)
                .toList();
    }

    static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
}
