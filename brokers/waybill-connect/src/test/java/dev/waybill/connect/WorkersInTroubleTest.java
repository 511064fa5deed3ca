package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several workers, several stores, a worker that freezes, and a broker that is away. */
@Tag("full")
class WorkersInTroubleTest {
    private static final String CANARY = "s3cret-canary";

    @AutoClose
    private static final KafkaServer kafka = ConnectWorker.startKafka();

    private static Map<String, String> atLeastOnce(Journal journal, String topic) {
        Map<String, String> configuration = journal.configuration();
        configuration.remove("transaction.boundary");
        configuration.putAll(Map.of(
                "connector.class", WaybillSourceConnector.class.getName(),
                "tasks.max", "1",
                "route.topic", topic,
                "lease.ms", "2000",
                "topic.creation.default.partitions", "1",
                "topic.creation.default.replication.factor", "1"));
        return configuration;
    }

    private static Map<String, String> exactlyOnce(Journal journal, String topic) {
        Map<String, String> configuration = atLeastOnce(journal, topic);
        configuration.putAll(Map.of(
                "exactly.once.support", "required",
                "transaction.boundary", "connector",
                "offsets.storage.topic", topic + "-offsets",
                "producer.override.transaction.timeout.ms", "5000"));
        return configuration;
    }

    @Test
    void a_frozen_worker_without_transactions_saves_nothing_when_it_wakes_up() throws Exception {
        Journal journal = new Journal();
        String servers = kafka.bootstrapServers();
        try (ConnectWorker first = ConnectWorker.startWithoutTransactions("frozen-first", "frozen", servers);
                ConnectWorker second = ConnectWorker.startWithoutTransactions("frozen-second", "frozen", servers);
                CommittedRecords seen = new CommittedRecords(servers, "frozen-orders");
                WritersUnderLoad writers = new WritersUnderLoad(journal, TimeUnit.MILLISECONDS.toNanos(20))) {
            Await.until("both workers answer", () -> first.isReady() && second.isReady());
            first.until(201, () -> first.put("orders", atLeastOnce(journal, "frozen-orders")));
            Await.until(
                    "the first events, and a saved position",
                    () -> seen.read().size() >= 500 && journal.backlog() < writers.appended() / 2);
            boolean onFirst = first.runsTaskOf("orders", second);
            ConnectWorker frozen = onFirst ? first : second;
            ConnectWorker other = onFirst ? second : first;
            frozen.signal("STOP");
            long notSaved = journal.backlog();
            Await.until("the other worker has the task", () -> other.runsTaskOf("orders", other));
            Await.until("a new epoch", () -> epoch(journal) > 1);
            int before = seen.read().size();
            Await.until("events of the other worker", () -> seen.read().size() >= before + 500);
            long epoch = epoch(journal);
            frozen.signal("CONT");
            Await.until(
                    "the frozen worker tells that it has lost its lease",
                    () -> frozen.log().contains("the lease of epoch 1 was"));
            int after = seen.read().size();
            Await.until("more events", () -> seen.read().size() >= after + 500);
            // Whoever takes the lease has a new epoch, and only the owner of the newest one may save.
            assertThat(epoch(journal)).isEqualTo(epoch);
            writers.stop();
            Await.until("nothing is left", () -> journal.backlog() == 0);
            Await.until("every event", () -> distinct(seen) >= writers.appended());
            for (int writer = 0; writer < writers.appendedByKey().size(); writer++) {
                String key = "k" + writer;
                Set<String> firsts = new LinkedHashSet<>();
                seen.read().stream().filter(record -> record.key().equals(key)).forEach(r -> firsts.add(r.value()));
                assertThat(firsts)
                        .containsExactlyElementsOf(DistributedWorkerTest.numbers(
                                writers.appendedByKey().get(writer)));
            }
            int repeated = seen.read().size() - writers.appended();
            System.out.println("frozen worker: " + writers.appended() + " events, " + notSaved
                    + " not saved when it froze, " + repeated + " repeated");
            // Once by the other worker, and once more by what the frozen one had in flight.
            assertThat((long) repeated).isLessThanOrEqualTo(2 * notSaved);
        }
    }

    private static long epoch(Journal journal) {
        return journal.texts("select epoch from waybill.relay").stream()
                .mapToLong(Long::parseLong)
                .max()
                .orElse(0);
    }

    private static long distinct(CommittedRecords seen) {
        return seen.read().stream()
                .map(record -> record.key() + " " + record.value())
                .distinct()
                .count();
    }

    @Test
    void stores_of_one_connector_are_spread_over_the_workers_and_survive_the_loss_of_one() throws Exception {
        List<Journal> journals = List.of(new Journal(), new Journal(), new Journal(), new Journal());
        String servers = kafka.bootstrapServers();
        Map<String, String> configuration = exactlyOnce(journals.get(0), "spread-orders");
        configuration.putAll(Map.of(
                "name", "orders",
                "tasks.max", "4",
                "stores", "s0,s1,s2,s3",
                "store.password", CANARY,
                "stores.s1.password", CANARY,
                "stores.s1.user", "postgres"));
        for (int store = 1; store < journals.size(); store++) {
            configuration.put("stores.s" + store + ".url", journals.get(store).url());
        }
        try (ConnectWorker first = ConnectWorker.start("spread-first", "spread", servers);
                ConnectWorker second = ConnectWorker.start("spread-second", "spread", servers);
                CommittedRecords seen = new CommittedRecords(servers, "spread-orders")) {
            Await.until("both workers answer", () -> first.isReady() && second.isReady());
            assertThat(first.validate(configuration).body())
                    .contains("\"error_count\":0")
                    .doesNotContain(CANARY);
            first.until(201, () -> first.put("orders", configuration));
            Await.until(
                    "two tasks on each worker",
                    () -> first.tasksOf("orders", first) == 2 && second.tasksOf("orders", first) == 2);
            append(journals, 0, 200);
            Await.until("all events", () -> seen.read().size() >= 800);
            second.kill();
            append(journals, 200, 400);
            Await.until("four tasks on the other", () -> first.tasksOf("orders", first) == 4);
            Await.until("all events of the second part", () -> seen.read().size() >= 1600);
            for (int store = 0; store < journals.size(); store++) {
                String key = "s" + store;
                assertThat(seen.read().stream()
                                .filter(record -> record.key().equals(key))
                                .map(ConsumerRecord::value))
                        .containsExactlyElementsOf(DistributedWorkerTest.numbers(400));
            }
            assertThat(first.log() + second.log()).doesNotContain(CANARY);
            assertThat(first.get("/connectors/orders/status").body()).doesNotContain(CANARY);
        }
    }

    private static void append(List<Journal> journals, int from, int to) {
        for (int store = 0; store < journals.size(); store++) {
            Journal journal = journals.get(store);
            String key = "s" + store;
            IntStream.range(from, to).forEach(i -> journal.append(key, i));
        }
    }

    @Test
    void a_broker_that_is_away_longer_than_a_transaction_lasts_loses_and_repeats_nothing() throws Exception {
        Journal journal = new Journal();
        String servers = kafka.bootstrapServers();
        try (ConnectWorker worker = ConnectWorker.start("broker", "broker", servers);
                CommittedRecords seen = new CommittedRecords(servers, "broker-orders");
                WritersUnderLoad writers = new WritersUnderLoad(journal, TimeUnit.MILLISECONDS.toNanos(20))) {
            Await.until("the worker answers", worker::isReady);
            worker.until(201, () -> worker.put("orders", exactlyOnce(journal, "broker-orders")));
            Await.until("the first events", () -> seen.read().size() >= 500);
            kafka.stopBroker();
            Await.watch(Duration.ofSeconds(15));
            kafka.restartBroker();
            int before = seen.read().size();
            Await.until(
                    () -> "events after the outage: " + status(worker),
                    () -> seen.read().size() >= before + 500);
            System.out.println("after the outage: " + status(worker));
            writers.stop();
            Await.until("every event", () -> seen.read().size() >= writers.appended());
            assertThat(seen.read()).hasSize(writers.appended());
            assertThat(distinct(seen)).isEqualTo(writers.appended());
        }
    }

    private static String status(ConnectWorker worker) {
        try {
            String status = worker.get("/connectors/orders/status").body();
            return status.substring(0, Math.min(status.length(), 1500));
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }
}
