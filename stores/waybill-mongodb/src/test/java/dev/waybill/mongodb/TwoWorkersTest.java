package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.RelayStatus;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes run the relay of one outbox. */
class TwoWorkersTest {
    private static final int ENTITIES = 7;
    private static final int ROUNDS = 20;

    private final MongoWorld world = newWorld();
    private final MongoStore store = MongoStore.on(world.database(), MongoWorld.OUTBOX);
    private final MongoOutbox outbox = MongoOutbox.on(world.database(), MongoWorld.OUTBOX);
    private final MongoCollection<Document> users = world.database().getCollection("users");
    private final CollectionTopic topic = new CollectionTopic(world.database());
    private final List<Process> workers = new ArrayList<>();

    MongoWorld newWorld() {
        return MongoWorld.inMemory();
    }

    private void startTwo(Duration lease) throws IOException {
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        startWorker(lease);
        startWorker(lease);
    }

    @AfterEach
    void close() throws InterruptedException {
        for (Process worker : workers) {
            worker.destroyForcibly().waitFor();
        }
        world.close();
    }

    @Test
    void in_normal_running_every_event_is_published_once_to_its_topic_and_in_the_order_of_its_entity()
            throws IOException {
        // So long that a busy machine does not miss it.
        startTwo(Duration.ofSeconds(60));
        for (int version = 1; version <= ROUNDS; version++) {
            changeAll(version);
        }
        untilDrained();

        List<Document> arrived = topic.arrived();
        assertThat(arrived).hasSize(ENTITIES * ROUNDS);
        assertInOrder(arrived);
        assertThat(arrived).allSatisfy(message -> {
            assertThat(message).containsEntry("topic", "sc.domain.user");
            assertThat(message.getString("event_id")).startsWith(message.getString("key") + "-");
            assertThat(message.getString("value")).startsWith("{\"event_id\":\"" + message.getString("event_id"));
        });
    }

    @Test
    void a_standby_takes_over_the_records_of_a_killed_worker_in_order() throws Exception {
        startTwo(Duration.ofSeconds(5));
        changeAll(1);
        Await.until("something has arrived", () -> topic.count() > 0);
        long epoch = lease().epoch();
        for (int version = 2; version <= ROUNDS; version++) {
            changeAll(version);
            if (version == ROUNDS / 2) {
                killWorking();
            }
        }
        untilDrained();

        int takeovers = (int) (lease().epoch() - epoch);
        assertThat(takeovers).isPositive();
        List<Document> arrived = topic.arrived();
        assertThat(ids(arrived)).hasSize(ENTITIES * ROUNDS);
        assertInOrder(arrived);
        assertThat(arrived.size() - ENTITIES * ROUNDS)
                .isBetween(0, takeovers * WorkerProcess.BATCH * WorkerProcess.BATCHES);
    }

    /** In one transaction with the entity, as an application does. */
    private void changeAll(int version) {
        for (int user = 1; user <= ENTITIES; user++) {
            String entity = "u" + user;
            Event event = Event.of("user.changed")
                    .aggregate("user", entity)
                    .payload(Payload.json(
                            "{\"event_id\":\"" + entity + "-" + version + "\",\"version\":" + version + "}"))
                    .id(entity + "-" + version)
                    .aggregateVersion(version)
                    .topic("sc.domain.user");
            MongoTransactions.on(world.client()).call(session -> {
                users.updateOne(
                        session,
                        Filters.eq("_id", entity),
                        Updates.set("version", version),
                        new UpdateOptions().upsert(true));
                outbox.append(session, event);
                return null;
            });
        }
    }

    private void untilDrained() {
        Await.until(
                "everything is published",
                () -> world.database()
                                .getCollection(MongoWorld.OUTBOX)
                                .countDocuments(Filters.ne("status", "published"))
                        == 0);
    }

    private RelayStatus.Lease lease() {
        Await.until(
                "somebody works", () -> store.admin().relays().get(0).lease().isPresent());
        return store.admin().relays().get(0).lease().orElseThrow();
    }

    private void killWorking() throws InterruptedException {
        String owner = lease().owner();
        Process working = workers.stream()
                .filter(worker -> owner.startsWith("pid " + worker.pid() + "/"))
                .findFirst()
                .orElseThrow();
        working.destroyForcibly().waitFor();
    }

    private static Set<String> ids(List<Document> arrived) {
        Set<String> ids = new HashSet<>();
        arrived.forEach(message -> ids.add(message.getString("event_id")));
        return ids;
    }

    /** First arrivals only, because records in flight when a worker was killed are sent again. */
    private static void assertInOrder(List<Document> arrived) {
        Set<String> seen = new HashSet<>();
        Map<String, Integer> last = new HashMap<>();
        for (Document message : arrived) {
            String id = message.getString("event_id");
            if (seen.add(id)) {
                int version = Integer.parseInt(id.substring(id.indexOf('-') + 1));
                assertThat(version).as(id).isEqualTo(last.getOrDefault(message.getString("key"), 0) + 1);
                last.put(message.getString("key"), version);
            }
        }
    }

    private void startWorker(Duration lease) throws IOException {
        List<String> command = ChildJvm.heap(128)
                .option("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
                .command(
                        WorkerProcess.class,
                        List.of(world.uri(), world.database().getName(), lease.toString()));
        workers.add(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }
}
