package dev.waybill.example.license.driver;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Chaos;
import dev.waybill.example.kit.Child;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Program;
import dev.waybill.example.kit.Sql;
import dev.waybill.example.license.Api;
import dev.waybill.example.license.Worker;
import dev.waybill.server.cli.WaybillCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.embedded.RedisServer;

/**
 * A day: uploads and decisions, some rows of a service that the registry does not know, cleanup of old rows in the evening, and a
 * consumer that is deployed last and gets everything by a replay.
 */
final class Day {
    private static final String RELAY = "outbox-to-pubsub";
    private static final int MAX_ATTEMPTS = 7;
    private static final int TTL_HOURS = 48;
    private static final int OLD_ROWS = 5;
    private static final int REDIS_TIMEOUT_MILLIS = 30_000;
    private static final int DEAD_ROWS = 4;
    private static final Set<String> ATTRIBUTES =
            Set.of("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at");

    private final ExampleRun run;
    private final PostgresServer postgres;
    private final PubSubEmulator emulator;
    private final String database;
    private final String noticeDatabase;
    private final Sql licenses;
    private final Sql notices;
    private final Topic topic;
    private final Path configuration;
    private final Stores stores;
    private final int port = FreePort.choose();
    private final int redisPort = FreePort.choose();

    Day(ExampleRun run) throws Exception {
        this.run = run;
        run.say("starting PostgreSQL, Redis and the Pub/Sub emulator …");
        emulator = run.closing(PubSubEmulator.startIfInstalled()
                .orElseThrow(() -> new IllegalStateException("This example needs Google's Pub/Sub emulator:"
                        + " gcloud components install pubsub-emulator, or Debian's google-cloud-cli-pubsub-emulator"
                        + " from the repository of Google.")));
        postgres = run.closing(PostgresServer.start());
        RedisServer redis = RedisServer.newRedisServer()
                .port(redisPort)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
        run.closing(redis::stop);
        database = postgres.createDatabase("packfinderz");
        noticeDatabase = postgres.createDatabase("notices");
        licenses = new Sql(postgres.dataSource(database));
        notices = new Sql(postgres.dataSource(noticeDatabase));
        topic = new Topic(emulator.address(), "pf-domain-events-today");
        topic.subscribe("compliance");
        topic.subscribe("observer");
        run.file("license_status_changed.schema.json");
        configuration = run.file("pubsub.yaml");
        // The one line that differs from a configuration for Google's service.
        Files.writeString(
                configuration,
                Files.readString(configuration)
                        .replace("type: pubsub,", "type: pubsub, emulator: \"${PUBSUB_EMULATOR_HOST}\","));
        stores = new Stores(run, port);
    }

    void play() throws Exception {
        run.say("licenses: " + postgres.jdbcUrl(database) + ", notices: " + postgres.jdbcUrl(noticeDatabase)
                + ", pubsub: " + emulator.address() + ", redis: port " + redisPort);
        Child api = run.start(Program.java("api", Api.class)
                .environment(Map.of("DATABASE_URL", postgres.jdbcUrl(database), "PORT", Integer.toString(port)))
                .readyWhen("api: ready"));
        run.execute(waybill("init", "init", "--config", configuration.toString()));
        List<Child> children = List.of(
                run.launch(waybill("outbox-publisher-1", "run", configuration.toString())
                        .readyWhen("says whether they make progress")),
                run.launch(waybill("outbox-publisher-2", "run", configuration.toString())
                        .readyWhen("says whether they make progress")),
                run.launch(worker("compliance")));
        children.forEach(Child::awaitReady);
        insertRefusedRows();
        run.chaos().victim(api);
        children.forEach(run.chaos()::victim);
        run.chaos().victim(new Chaos.Victim("postgresql", postgres::stopImmediately, postgres::restart));
        int goal = run.options().events();
        run.picture()
                .progress("changes", stores::count, goal)
                .number(
                        "published",
                        () -> licenses.number("select count(*) from outbox_events where published_at is not null"))
                .number("dead", this::dead)
                .progress("notices", this::noticesWritten, goal);
        while (stores.count() < goal) {
            stores.changeOne();
            run.chaos().progress(stores.count());
        }
        run.chaos().finish();
        run.until("every change has its notice", () -> unpublished() == DEAD_ROWS && noticesWritten() >= goal);
        balance();
        messages();
        cleanUp();
        replay();
        run.chaos().report(run.balance());
    }

    /** Rows of another service, which the registry refuses. */
    private void insertRefusedRows() throws SQLException {
        insert("license_renamed", "license", "{\"licenseId\": \"l-1\"}", "null");
        insert("license_status_changed", "license", "null", "null");
        insert(
                "license_status_changed",
                "store",
                "{\"licenseId\": \"l-1\", \"storeId\": 1, \"status\": \"pending\"}",
                "null");
        insert("license_status_changed", "license", "{\"licenseId\": \"l-1\"}", "null");
    }

    private void insert(String type, String aggregateType, String payload, String publishedAt) throws SQLException {
        licenses.execute(
                "insert into outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json, created_at,"
                        + " published_at) values (gen_random_uuid(), '" + type + "', '" + aggregateType + "', 'l-1', '"
                        + payload
                        + "', coalesce(" + publishedAt + ", now()), " + publishedAt + ")");
    }

    private void balance() throws Exception {
        Balance balance = run.balance();
        balance.same(
                "licenses with store, status and reason",
                stores.licenses(),
                licenses.texts("select concat(id, ' ', store_id, ' ', status, ' ', reason) from licenses"));
        balance.equal(
                "G5 changes of the day with published_at",
                stores.count(),
                licenses.number("select count(*) from outbox_events where published_at > now() - interval '1 day'"));
        balance.equal("G6 rows refused by the registry, at the last attempt, with the reason", DEAD_ROWS, dead());
        balance.equal(
                "G6 different reasons",
                DEAD_ROWS,
                licenses.number("select count(distinct last_error) from outbox_events where published_at is null"));
        balance.same(
                "G9 G15 notices for admins and stores, with link and reason",
                stores.notices(),
                notices.texts(
                        "select concat(type, ' ', audience, ' ', store_id, ' ', link, ' ', reason) from notifications"));
        balance.equal("G8 keys in Redis that are done", stores.count(), doneKeys());
        balance.atLeast("G12 dead rows that waybill status reports", DEAD_ROWS, deadByStatus());
    }

    /** Every key says done, and expires after the time that the environment gives. */
    private long doneKeys() throws SQLException {
        long done = 0;
        try (RedisClient redis = RedisClient.builder()
                .hostAndPort("127.0.0.1", redisPort)
                .clientConfig(DefaultJedisClientConfig.builder()
                        .socketTimeoutMillis(REDIS_TIMEOUT_MILLIS)
                        .build())
                .build()) {
            for (String id : notices.texts("select event_id from notifications")) {
                String key = "pf:evt:processed:compliance:" + id;
                Duration left = Duration.ofMillis(redis.pttl(key));
                done += "done".equals(redis.get(key)) && left.toHours() == TTL_HOURS - 1 ? 1 : 0;
            }
        }
        return done;
    }

    private long deadByStatus() throws Exception {
        return run.execute(waybill("status", "status", "--config", configuration.toString(), "--json"))
                .replaceAll("\\s", "")
                .transform(json -> json.replaceAll(".*\"dead\":(\\d+).*", "$1"))
                .transform(Long::parseLong);
    }

    private void messages() throws Exception {
        List<Topic.Message> messages = topic.drain("observer");
        Set<String> rows = new HashSet<>(
                licenses.texts("select id || ' ' || payload_json from outbox_events where published_at is not null"));
        Set<String> ids = new HashSet<>();
        int wrong = 0;
        for (Topic.Message message : messages) {
            String id = message.attributes().getOrDefault("event_id", "");
            ids.add(id);
            wrong += message.attributes().keySet().equals(ATTRIBUTES) && rows.contains(id + " " + message.body())
                    ? 0
                    : 1;
        }
        Balance balance = run.balance();
        balance.equal("G14 events on the topic " + topic.name(), stores.count(), ids.size());
        balance.equal("G4 messages with other bytes than their row, or other attributes", 0, wrong);
        if (run.chaos().isWanted()) {
            run.say(messages.size() - ids.size() + " messages were sent again after a kill, and had no second effect");
        } else {
            balance.equal("G3 messages sent twice by the two publishers", 0, messages.size() - ids.size());
        }
    }

    private void cleanUp() throws Exception {
        for (int i = 0; i < OLD_ROWS; i++) {
            insert(
                    "license_status_changed",
                    "license",
                    "{\"licenseId\": \"old\", \"storeId\": 1, \"status\": \"pending\"}",
                    "now() - interval '31 days'");
        }
        run.say("the cleanup job: "
                + run.execute(waybill(
                                "purge",
                                "purge",
                                "--config",
                                configuration.toString(),
                                "--older-than",
                                "30d",
                                "--reason",
                                "retention",
                                "--yes"))
                        .strip());
        run.balance()
                .equal(
                        "G11 rows left: the day's and the dead ones, none of the " + OLD_ROWS + " old ones",
                        stores.count() + DEAD_ROWS,
                        licenses.number("select count(*) from outbox_events"));
    }

    private void replay() throws Exception {
        run.say("search is deployed, and the day is replayed to it");
        topic.subscribe("search");
        long before = noticesWritten();
        Child search = run.start(worker("search"));
        run.execute(waybill(
                "replay",
                "replay",
                "start",
                "--config",
                configuration.toString(),
                "--relay",
                RELAY,
                "--type",
                "license_status_changed",
                "--reason",
                "search is new",
                "--yes"));
        run.until("search has everything", () -> indexed() >= stores.count() || !search.isRunning());
        run.balance()
                .same(
                        "G16 changes known to the consumer that was deployed later",
                        stores.changes(),
                        notices.texts("select concat(license_id, ' ', status) from license_index"))
                .equal("G16 notices after the replay: no second ones", before, noticesWritten());
    }

    private Program worker(String name) {
        return Program.java(name, Worker.class, name)
                .environment(environment())
                .environment(Map.of(
                        "DATABASE_URL",
                        postgres.jdbcUrl(noticeDatabase),
                        "REDIS_URL",
                        "redis://127.0.0.1:" + redisPort,
                        "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION",
                        name,
                        "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL",
                        TTL_HOURS + "h"))
                .readyWhen("worker: ready");
    }

    private Program waybill(String name, String... arguments) {
        return Program.java(name, WaybillCommand.class, arguments)
                .environment(environment())
                .environment(Map.of(
                        "PORT", "0",
                        "DB_HOST", "127.0.0.1",
                        "DB_PORT", Integer.toString(postgres.port()),
                        "DB_NAME", database,
                        "DB_USER", "postgres",
                        "DB_PASSWORD", "not-needed-on-loopback",
                        "COMPETING", "true",
                        "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "20",
                        "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "200",
                        "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", Integer.toString(MAX_ATTEMPTS)));
    }

    private Map<String, String> environment() {
        return Map.of(
                "GOOGLE_CLOUD_PROJECT", Topic.PROJECT,
                "PUBSUB_EMULATOR_HOST", emulator.address(),
                "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", topic.name());
    }

    private long unpublished() throws SQLException {
        return licenses.number("select count(*) from outbox_events where published_at is null");
    }

    private long dead() throws SQLException {
        return licenses.number("select count(*) from outbox_events where published_at is null and attempt_count = "
                + MAX_ATTEMPTS + " and last_error is not null");
    }

    private long noticesWritten() throws SQLException {
        return notices.number("select count(*) from notifications");
    }

    private long indexed() throws SQLException {
        return notices.number("select count(*) from license_index");
    }
}
