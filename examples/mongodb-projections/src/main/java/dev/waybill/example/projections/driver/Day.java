package dev.waybill.example.projections.driver;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Child;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.KafkaTopics;
import dev.waybill.example.kit.Program;
import dev.waybill.example.kit.Requests;
import dev.waybill.example.projections.UserCards;
import dev.waybill.example.projections.UserService;
import dev.waybill.server.cli.WaybillCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.bson.Document;

/** A day: users change, one record names a topic that does not exist, and old records are deleted in the evening. */
final class Day {
    private static final String TOPIC = "sc.domain.user";
    private static final int CHANGES_OF_A_USER = 8;
    private static final int MAX_RETRIES = 5;
    private static final int OLD_RECORDS = 5;

    private final ExampleRun run;
    private final String uri;
    private final KafkaServer kafka;
    private final KafkaTopics topics;
    private final MongoDatabase database;
    private final MongoCollection<Document> outbox;
    private final Path configuration;
    private final Requests requests;
    private final Map<String, Long> versions = new HashMap<>();
    private final int port = FreePort.choose();
    private int changes;

    Day(ExampleRun run, String uri) throws Exception {
        this.run = run;
        this.uri = uri;
        run.say("starting Kafka; MongoDB is " + uri);
        kafka = run.closing(KafkaServer.start(Map.of("auto.create.topics.enable", "false")));
        topics = new KafkaTopics(kafka.bootstrapServers());
        topics.create(TOPIC, TOPIC + ".dlt");
        MongoClient client = run.closing(MongoClients.create(uri));
        database = client.getDatabase("waybill_example_" + Long.toHexString(System.nanoTime()));
        run.closing(database::drop);
        outbox = database.getCollection("outbox");
        configuration = run.file("mongodb.yaml");
        requests = new Requests(run, port);
    }

    void play() throws Exception {
        Child users = run.start(Program.java("users", UserService.class)
                .environment(environment())
                .environment(Map.of("PORT", Integer.toString(port)))
                .readyWhen("users: ready"));
        List<Child> children = List.of(
                run.launch(waybill("worker-1", "run", configuration.toString())
                        .readyWhen("says whether they make progress")),
                run.launch(waybill("worker-2", "run", configuration.toString())
                        .readyWhen("says whether they make progress")),
                run.launch(Program.java("cards", UserCards.class)
                        .environment(environment())
                        .readyWhen("cards: ready")));
        children.forEach(Child::awaitReady);
        outbox.insertOne(record("lost", "pending")
                .append("topic", "sc.domain.nobody")
                .append("created_at", Date.from(Instant.now())));
        run.chaos().victim(users);
        children.forEach(run.chaos()::victim);
        int goal = run.options().events();
        run.picture()
                .progress("changes", () -> changes, goal)
                .progress("published", () -> records("published"), goal)
                .number("failed", () -> records("failed"))
                .progress("applied", this::processed, goal);
        int population = Math.max(2, goal / CHANGES_OF_A_USER);
        while (changes < goal) {
            change("u" + run.random().nextInt(population));
            run.chaos().progress(changes);
        }
        run.chaos().finish();
        run.until("everything is published and applied", () -> records("published") == goal && processed() >= goal);
        run.until("the record for a missing topic is dead", () -> dead() == 1);
        balance();
        cleanUp();
        run.chaos().report(run.balance());
    }

    private void change(String user) throws InterruptedException {
        long version = versions.merge(user, 1L, Long::sum);
        requests.send(
                "POST",
                "/users",
                "{\"id\": \"%s\", \"name\": \"%s\", \"version\": %d}".formatted(user, name(user, version), version),
                201,
                200);
        changes++;
    }

    private static String name(String user, long version) {
        return "name " + version + " of " + user;
    }

    private void balance() {
        Balance balance = run.balance();
        balance.same(
                "M1 users with the name and version that their service was told",
                expected((user, version) -> name(user, version) + " " + version),
                found("users", user -> user.getString("name") + " " + user.getLong("version")));
        balance.equal(
                "M1 records of the day in the outbox", changes, outbox.countDocuments(Filters.eq("topic", TOPIC)));
        balance.equal(
                "M3 published records that are still locked",
                0,
                outbox.countDocuments(Filters.and(Filters.eq("status", "published"), Filters.ne("locked_by", null))));
        balance.equal("M4 records dead after " + MAX_RETRIES + " failures, with the error", 1, dead());
        balance.equal("M7 markers in processed_events", changes, processed());
        balance.same(
                "M8 cards with the last name, and every version once and in order",
                expected((user, version) -> name(user, version) + " "
                        + LongStream.rangeClosed(1, version).boxed().toList()),
                found("cards", card -> card.getString("name") + " " + card.getList("applied", Long.class)));
        messages(balance);
        balance.equal("M6 unique indexes on event_id of the outbox", 1, uniqueIndexes());
    }

    /** What must be known of each user. */
    private List<String> expected(BiFunction<String, Long, String> known) {
        return versions.entrySet().stream()
                .map(user -> user.getKey() + " " + known.apply(user.getKey(), user.getValue()))
                .toList();
    }

    /** What is known of each user. */
    private List<String> found(String collection, Function<Document, String> known) {
        List<String> found = new ArrayList<>();
        for (Document document : database.getCollection(collection).find()) {
            found.add(document.getString("_id") + " " + known.apply(document));
        }
        return found;
    }

    private void messages(Balance balance) {
        List<ConsumerRecord<String, String>> messages = topics.everything(List.of(TOPIC));
        Set<String> ids = new HashSet<>();
        Map<String, Integer> partitions = new HashMap<>();
        Map<String, Long> last = new HashMap<>();
        int moved = 0;
        int inversions = 0;
        for (ConsumerRecord<String, String> message : messages) {
            if (ids.add(KafkaTopics.header(message, "event-id").orElse(""))) {
                Long number = last.put(message.key(), version(message));
                inversions += number != null && number >= version(message) ? 1 : 0;
            }
            Integer before = partitions.put(message.key(), message.partition());
            moved += before != null && before != message.partition() ? 1 : 0;
        }
        balance.equal("events in Kafka", changes, ids.size());
        balance.equal("M8 messages out of the order of their user's versions", 0, inversions);
        balance.equal("M8 messages in another partition than others of their user", 0, moved);
        run.say(messages.size() - ids.size() + " messages were sent more than once, and had no second effect");
    }

    private static long version(ConsumerRecord<String, String> message) {
        return Document.parse(message.value())
                .get("entity_version", Number.class)
                .longValue();
    }

    private long uniqueIndexes() {
        long unique = 0;
        for (Document index : outbox.listIndexes()) {
            unique += index.getBoolean("unique", false)
                            && index.get("key", Document.class).containsKey("event_id")
                    ? 1
                    : 0;
        }
        return unique;
    }

    private void cleanUp() throws Exception {
        Date old = Date.from(Instant.now().minus(Duration.ofDays(31)));
        for (int i = 0; i < OLD_RECORDS; i++) {
            outbox.insertOne(record("old-" + i, "published")
                    .append("topic", "old")
                    .append("created_at", old)
                    .append("published_at", old));
        }
        run.say("the cleanup job: "
                + run.execute(waybill(
                                "purge", "purge", "--config", configuration.toString(), "--older-than", "30d", "--yes"))
                        .strip());
        run.balance()
                .equal(
                        "M10 records left: the day's and the dead one, none of the " + OLD_RECORDS + " old ones",
                        changes + 1L,
                        outbox.countDocuments());
    }

    /** A record as another service writes it. */
    private static Document record(String id, String status) {
        return new Document("event_id", id)
                .append("event_type", "user.changed")
                .append("entity_type", "user")
                .append("entity_id", id)
                .append("entity_version", 1L)
                .append("partition_key", id)
                .append("payload", new Document("entity_id", id))
                .append("status", status)
                .append("retry_count", 0)
                .append("max_retries", MAX_RETRIES);
    }

    private Program waybill(String name, String... arguments) {
        return Program.java(name, WaybillCommand.class, arguments)
                .environment(environment())
                .environment(Map.of("PORT", "0"));
    }

    private Map<String, String> environment() {
        return Map.of(
                "MONGODB_URI",
                uri,
                "MONGODB_DATABASE",
                database.getName(),
                "KAFKA_BOOTSTRAP_SERVERS",
                kafka.bootstrapServers());
    }

    private long records(String status) {
        return outbox.countDocuments(Filters.eq("status", status));
    }

    private long dead() {
        return outbox.countDocuments(Filters.and(
                Filters.eq("status", "failed"),
                Filters.eq("retry_count", MAX_RETRIES),
                Filters.ne("last_error", null)));
    }

    private long processed() {
        return database.getCollection("processed_events").countDocuments();
    }
}
