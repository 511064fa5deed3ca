package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.RelayStatus;
import dev.waybill.mongodb.MongoInbox;
import dev.waybill.mongodb.MongoOutbox;
import dev.waybill.mongodb.MongoSchema;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.mongodb.MongoTransactions;
import dev.waybill.spi.OwnerId;
import dev.waybill.standin.MongoStandIn;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An outbox in MongoDB, relayed by two {@code waybill run} to a topic with six partitions, and a projection with an inbox in
 * MongoDB. MongoDB is the stand-in.
 */
class MongoToKafkaTest {
    private static final String OUTBOX = "outbox";
    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              users: { type: mongodb, uri: "URI", database: DATABASE, retention: 30d }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "KAFKA" } }
            relays:
              users-to-kafka:
                store: users
                destination: kafka
                format: stored
                route: { by: stored-topic }
                batch: 10
                lease: 2s
            """;

    private final MongoStandIn mongo = MongoStandIn.start(Duration.ofSeconds(5));
    private final MongoClient client = MongoClients.create(mongo.uri());
    private final List<RelayChild> children = new ArrayList<>();
    private final List<RelayChild> relays = new ArrayList<>();
    private MongoDatabase database;
    private ConsumedEvents messages;
    private UserCards.Place place;
    private Path file;

    @AfterEach
    void end() {
        children.forEach(RelayChild::close);
        client.close();
        mongo.close();
    }

    @Tag("full")
    @Test
    void each_version_of_an_entity_has_one_effect_in_order_through_killed_relays_and_consumers() throws Exception {
        relayAndKill("mongo-to-kafka", 6, 12);
    }

    @Test
    @Tag("full")
    void the_same_with_many_entities() throws Exception {
        relayAndKill("mongo-to-kafka-full", 25, 60);
    }

    private void relayAndKill(String run, int entities, int versions) throws Exception {
        begin(run);
        startRelay();
        startRelay();
        // Dies after a commit, before the offset is committed; the next one before the commit of an effect.
        RelayChild committing = startCards("committing", "5", "0");
        for (int version = 1; version <= versions; version++) {
            changeAll(entities, version);
            if (version == versions / 2) {
                killWorking();
            }
        }
        awaitEnd(committing);
        awaitEnd(startCards("handling", "0", "5"));
        try (UserCards cards = UserCards.start(place)) {
            awaitPublished();
            // A server in memory that many records make slow.
            Await.until(
                    "all offsets are committed",
                    Duration.ofMinutes(10),
                    () -> messages.committed(UserCards.GROUP) == messages.sent());
            assertCards(entities, versions);
            assertThat(database.getCollection("processed_events").countDocuments())
                    .isEqualTo((long) entities * versions);
            assertOnePartitionEach(entities, versions);
            refuseAnOldVersion(cards);
            assertCards(entities, versions);
        }
    }

    @Tag("full")
    @Test
    void published_records_are_deleted_after_the_retention_and_no_others() throws Exception {
        begin("mongo-retention");
        for (int i = 0; i < 20; i++) {
            outbox().insertOne(old("old-" + i, "published", 31).append("published_at", daysAgo(31)));
        }
        outbox().insertOne(old("young", "published", 40).append("published_at", daysAgo(29)));
        outbox().insertOne(old("dead", "failed", 40).append("retry_count", 5));
        outbox().insertOne(old("waits", "pending", 40));
        // A store that no relay has used yet deletes nothing; the next time would be a minute after the start.
        MongoStore.on(database, OUTBOX)
                .open(new RelayName("users-to-kafka"), new OwnerId("earlier"), Duration.ofSeconds(1))
                .orElseThrow()
                .close();
        startRelay();

        Await.until(
                "the old records are deleted", () -> outbox().countDocuments(Filters.regex("event_id", "^old-")) == 0);
        Await.until("the pending record is published", () -> statusOf("waits").equals(Optional.of("published")));
        assertThat(statusOf("young")).contains("published");
        assertThat(statusOf("dead")).contains("failed");
    }

    private void begin(String run) throws Exception {
        database = client.getDatabase(run.replace('-', '_'));
        MongoSchema.create(database, OUTBOX);
        MongoInbox.on(database).create();
        Topics.make(run, 6, Map.of());
        Topics.make(List.of(run + ".dlt"));
        messages = new ConsumedEvents(run);
        place = new UserCards.Place(
                mongo.uri(), database.getName(), TrialServers.kafka().bootstrapServers(), run);
        file = Files.createDirectories(Path.of("target", "trials", run)).resolve("waybill.yaml");
        Files.writeString(
                file,
                CONFIGURATION
                        .replace("URI", mongo.uri())
                        .replace("DATABASE", database.getName())
                        .replace("KAFKA", place.kafka()));
    }

    private void startRelay() throws Exception {
        RelayChild child = RelayChild.startServer(
                place.topic() + "-relay-" + relays.size(), Map.of(), List.of("run", file.toString()));
        children.add(child);
        relays.add(child);
        child.awaitWords("says whether they make progress");
    }

    private RelayChild startCards(String name, String commits, String effects) throws Exception {
        RelayChild child =
                RelayChild.start(place.topic() + "-" + name, UserCards.class, place.arguments(commits, effects));
        children.add(child);
        child.awaitWords(UserCards.RUNS);
        return child;
    }

    private static void awaitEnd(RelayChild child) {
        Await.until(child.name() + " has killed itself", () -> !child.isAlive());
        assertThat(child.exitCode()).as(child.name()).isEqualTo(128 + 9);
    }

    /** The entity and its record in one transaction, as an application does. */
    private void changeAll(int entities, int version) {
        MongoOutbox appending = MongoOutbox.on(database, OUTBOX);
        MongoCollection<Document> users = database.getCollection("users");
        for (int number = 1; number <= entities; number++) {
            String user = "u" + number;
            Event event = Event.of(UserCards.TYPE)
                    .aggregate("user", user)
                    .payload(Payload.json(envelope(user, version)))
                    .id(user + "-" + version)
                    .aggregateVersion(version)
                    .topic(place.topic());
            MongoTransactions.on(client).call(session -> {
                users.updateOne(
                        session,
                        Filters.eq("_id", user),
                        Updates.set("version", version),
                        new UpdateOptions().upsert(true));
                appending.append(session, event);
                return null;
            });
        }
    }

    private static String envelope(String user, int version) {
        return "{\"entity_id\":\"%s\",\"entity_version\":%d}".formatted(user, version);
    }

    private void killWorking() throws Exception {
        MongoStore store = MongoStore.on(database, OUTBOX);
        Await.until(
                "a relay works",
                () -> store.admin().relays().stream()
                        .anyMatch(status -> status.lease().isPresent()));
        String owner = store.admin()
                .relays()
                .get(0)
                .lease()
                .map(RelayStatus.Lease::owner)
                .orElseThrow();
        relays.stream()
                .filter(child -> child.owns(owner))
                .findFirst()
                .orElseThrow()
                .kill();
    }

    private void awaitPublished() {
        Await.until(
                "every record is published",
                Duration.ofMinutes(2),
                () -> outbox().countDocuments(Filters.ne("status", "published")) == 0);
    }

    private void assertCards(int entities, int versions) {
        Map<String, List<Long>> cards = new HashMap<>();
        database.getCollection(UserCards.CARDS)
                .find()
                .forEach(card -> cards.put(card.getString("_id"), card.getList("versions", Long.class)));
        List<Long> each = LongStream.rangeClosed(1, versions).boxed().toList();
        assertThat(cards)
                .hasSize(entities)
                .allSatisfy((user, seen) -> assertThat(seen).as(user).isEqualTo(each));
    }

    /** First deliveries only: the records in flight when a relay was killed are sent again. */
    private void assertOnePartitionEach(int entities, int versions) {
        Map<String, Set<Integer>> partitions = new HashMap<>();
        Map<String, List<String>> ids = new HashMap<>();
        List<ConsumerRecord<byte[], byte[]>> all = messages.everything();
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> message : all) {
            String user = new String(message.key(), StandardCharsets.UTF_8);
            partitions.computeIfAbsent(user, key -> new HashSet<>()).add(message.partition());
            String id = new String(message.headers().lastHeader("event-id").value(), StandardCharsets.UTF_8);
            if (seen.add(id)) {
                List<String> before = ids.computeIfAbsent(user, key -> new ArrayList<>());
                before.add(id);
                assertThat(id).isEqualTo(user + "-" + before.size());
            }
        }
        System.out.println("trial " + place.topic() + ": " + seen.size() + " records, " + (all.size() - seen.size())
                + " sent twice");
        assertThat(partitions)
                .hasSize(entities)
                .allSatisfy((user, of) -> assertThat(of).as(user).hasSize(1));
        assertThat(seen).hasSize(entities * versions);
    }

    /** M8: such a message is recorded and acknowledged, and changes nothing. */
    private void refuseAnOldVersion(UserCards cards) {
        messages.sendRaw(List.of(new HostileMessages.Raw(
                "u1",
                envelope("u1", 1).getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "event-id",
                        "late".getBytes(StandardCharsets.UTF_8),
                        "event-type",
                        UserCards.TYPE.getBytes(StandardCharsets.UTF_8)))));
        Await.until("it is acknowledged", () -> messages.committed(UserCards.GROUP) == messages.sent());
        assertThat(cards.consumer().statistics().stale()).isEqualTo(1);
    }

    private MongoCollection<Document> outbox() {
        return database.getCollection(OUTBOX);
    }

    private Optional<String> statusOf(String id) {
        return Optional.ofNullable(outbox().find(Filters.eq("event_id", id)).first())
                .map(record -> record.getString("status"));
    }

    private Document old(String id, String status, int days) {
        return new Document("event_id", id)
                .append("event_type", UserCards.TYPE)
                .append("entity_type", "user")
                .append("entity_id", id)
                .append("entity_version", 1)
                .append("topic", place.topic())
                .append("partition_key", id)
                .append("payload", Document.parse(envelope(id, 1)))
                .append("status", status)
                .append("retry_count", 0)
                .append("max_retries", 5)
                .append("created_at", daysAgo(days));
    }

    private static Date daysAgo(int days) {
        return Date.from(Instant.now().minus(Duration.ofDays(days)));
    }
}
