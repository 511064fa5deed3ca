package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.relay.Relay;
import dev.waybill.server.config.Installation;
import dev.waybill.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a person does at night, with the commands alone, on real PostgreSQL and Kafka. */
@Timeout(180)
class NightShiftTest {
    private static PostgresServer postgres;
    private static KafkaServer kafka;
    private static Topics topics;

    private final Cli cli = new Cli();
    private String url;
    private String config;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
        kafka = KafkaServer.start(Map.of("auto.create.topics.enable", "false"));
        topics = new Topics(kafka.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
        postgres.close();
    }

    @BeforeEach
    void write() throws Exception {
        url = postgres.jdbcUrl(postgres.createDatabase("night"));
        config = Files.writeString(directory.resolve("waybill.yaml"), """
                        stores:
                          journal: { type: postgres-journal, url: "%1$s" }
                          table: { type: table, url: "%1$s", layout: orders }
                        destinations:
                          kafka:
                            type: kafka
                            properties: { bootstrap.servers: "%2$s" }
                            topic-timeout: 200ms
                        relays:
                          orders:
                            store: table
                            destination: kafka
                            poll: { interval: 10ms, max-idle: 20ms }
                            retry: { retries: 1, first: 10ms }
                          journal-to-kafka:
                            store: journal
                            destination: kafka
                            lease: 60s
                            poll: { interval: 10ms, max-idle: 20ms }
                        """.formatted(url, kafka.bootstrapServers()))
                .toString();
        assertThat(cli.run("init", "--url", url)).isZero();
        assertThat(cli.run("init", "--layout", "orders", "--url", url)).isZero();
    }

    @Test
    void o3_a_failed_row_is_listed_shown_requeued_delivered_and_audited() throws Exception {
        String id = "7d3f0a52-4b0e-4c5c-9f3e-0d8c6f1a2b3c";
        String topic = Topics.unused("order-created");
        execute("insert into outbox (id, aggregate_type, aggregate_id, event_type, payload, status) values ('" + id
                + "', 'Order', gen_random_uuid(), '" + topic + "', '{\"total\": 99}', 'NEW')");
        try (Installation installation = Installation.read(Path.of(config));
                Relay relay = installation.plan("orders").start()) {
            Await.until(
                    "the row is FAILED", () -> text("select status from outbox").equals("FAILED"));

            assertThat(run("status", "--store", "table")).isZero();
            assertThat(cli.out()).containsPattern("(?m)^orders +running ").containsPattern(" 1 +\\S+$");
            assertThat(run("events", "--relay", "orders", "--state", "dead")).isZero();
            assertThat(cli.out()).contains(id, topic + " does not exist");
            assertThat(run("show", id)).isZero();
            assertThat(cli.out()).contains("orders", "dead", "does not exist").doesNotContain("total");

            topics.create(topic);
            assertThat(run("requeue", "--relay", "orders", id, "--yes", "--as", "ada", "--reason", "topic made"))
                    .isZero();
            assertThat(cli.out()).contains("requeued 1");
            Await.until(
                    "the row is SENT", () -> text("select status from outbox").equals("SENT"));
            assertThat(topics.values(topic)).containsExactly("{\"total\": 99}");
            Await.until("one is counted", () -> relay.statistics().published() == 1);
        }
        assertThat(run("audit", "--store", "table", "--json")).isZero();
        JsonNode entry = cli.json().get(0);
        assertThat(entry.get("who").asString()).isEqualTo("ada");
        assertThat(entry.get("why").asString()).isEqualTo("topic made");
        assertThat(entry.get("action").asString()).isEqualTo("requeue");
        assertThat(entry.get("relay").asString()).isEqualTo("orders");
        assertThat(entry.get("details").asString()).contains(id);
    }

    @Test
    void doctor_and_status_know_the_committed_position_of_a_relay_that_delivers_exactly_once() throws Exception {
        String once = Files.readString(Path.of(config))
                .replace("store: journal\n", "store: journal\n    delivery: exactly-once\n");
        config = Files.writeString(directory.resolve("once.yaml"), once).toString();
        String topic = topics.create(Topics.unused("once"));
        append(topic, 1, 3, "once");
        try (Installation installation = Installation.read(Path.of(config));
                Relay relay = installation.plan("journal-to-kafka").start()) {
            Await.until("all are settled", () -> relay.statistics().published() == 3);
        }
        run("doctor");
        assertThat(cli.out().replaceAll("\\s+", " "))
                .contains("topic waybill-positions, compacted")
                .contains("the destination and the store have the same: ");
        assertThat(run("status", "--store", "journal", "--json")).isZero();
        assertThat(cli.out()).contains("committedPosition");

        String elsewhere = once.replace("topic-timeout: 200ms", "positions-topic: elsewhere");
        config = Files.writeString(directory.resolve("elsewhere.yaml"), elsewhere)
                .toString();
        run("doctor");
        assertThat(cli.out().replaceAll("\\s+", " "))
                .contains("topic elsewhere, which holds the positions of exactly-once relays, does not exist")
                .contains("the destination has none, and the store has recorded one");
    }

    @Test
    void a_replay_by_time_range_sends_only_the_matching_events() throws Exception {
        String topic = topics.create(Topics.unused("replayed"));
        append(topic, 1, 3, "early");
        String from = now();
        append(topic, 1, 3, "middle");
        append(topic, 1, 3, "middle again");
        String until = now();
        append(topic, 1, 3, "late");
        publishAll(topic, 12);

        assertThat(run(
                        "replay",
                        "start",
                        "--relay",
                        "journal-to-kafka",
                        "--name",
                        "again",
                        "--aggregate-type",
                        "Order",
                        "--aggregate-id",
                        "2",
                        "--from",
                        from,
                        "--until",
                        until))
                .isEqualTo(ExitCode.DECLINED.number());
        assertThat(cli.err()).contains("would send 2 events again");
        assertThat(run(
                        "replay",
                        "start",
                        "--relay",
                        "journal-to-kafka",
                        "--name",
                        "again",
                        "--aggregate-type",
                        "Order",
                        "--aggregate-id",
                        "2",
                        "--from",
                        from,
                        "--until",
                        until,
                        "--yes",
                        "--json"))
                .isZero();
        assertThat(cli.json().get("sent").asInt()).isEqualTo(2);

        List<String> values = topics.values(topic);
        assertThat(values.subList(12, values.size())).containsExactly(payload(2, "middle"), payload(2, "middle again"));
        assertThat(run("replay", "list", "--store", "journal")).isZero();
        assertThat(cli.out()).containsPattern("(?m)^again +through +2 +0 +0 +0 ");
    }

    /** The lease is long: after a process has lost it, what it sent meanwhile is not counted. */
    @Test
    void a_replay_of_10000_at_2000_a_second_cancelled_midway_counts_exactly() throws Exception {
        String topic = topics.create(Topics.unused("cancelled"));
        append(topic, 1, 10_000, "one");
        publishAll(topic, 10_000);

        Cli other = new Cli();
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> other.run(
                "replay",
                "start",
                "--relay",
                "journal-to-kafka",
                "--name",
                "slow",
                "--rate",
                "2000",
                "--yes",
                "--json",
                "--config",
                config));
        Await.until("some were sent", () -> topics.count(topic) >= 11_000);
        assertThat(run("replay", "cancel", "slow", "--store", "journal", "--as", "ada", "--reason", "enough"))
                .isZero();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.FAILED.number());

        long sent = topics.count(topic) - 10_000;
        assertThat(sent).isBetween(1_000L, 9_999L);
        assertThat(other.json().get("state").asString()).isEqualTo("cancelled");
        assertThat(other.json().get("sent").asLong()).as(other.err()).isEqualTo(sent);
        assertThat(other.json().get("notSent").asLong()).isEqualTo(10_000 - sent);
        assertThat(run("audit", "--store", "journal", "--json")).isZero();
        assertThat(cli.json().toString()).contains("sent " + sent + ", not sent " + (10_000 - sent));
    }

    @Test
    void dead_letters_are_listed_shown_sent_back_and_discarded() throws Exception {
        String origin = topics.create(Topics.unused("letters"));
        String dead = topics.create(origin + ".dlt");
        for (int i = 1; i <= 3; i++) {
            byte[] original = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
            topics.send(
                    dead,
                    new DeadLetterBody(Optional.of("evt-" + i), original, "no stock", Instant.now(), "billing")
                            .toJson(),
                    Map.of(HeaderNames.DEAD_LETTER_TOPIC, origin));
        }

        assertThat(run("dead-letters", "list", dead, "--json")).isZero();
        JsonNode letters = cli.json();
        assertThat(letters.size()).isEqualTo(3);
        String first = letters.get(0).get("place").asString();
        assertThat(run("dead-letters", "show", dead, first)).isZero();
        assertThat(cli.out()).contains("evt-1", "no stock", "billing", origin);

        assertThat(run("dead-letters", "send-back", dead, first)).isEqualTo(ExitCode.DECLINED.number());
        assertThat(cli.err()).contains("1 message would be sent back to " + origin);
        assertThat(run("dead-letters", "send-back", dead, first, "--rate", "50", "--yes"))
                .isZero();
        assertThat(topics.values(origin)).containsExactly("{\"n\":1}");
        assertThat(run("dead-letters", "send-back", dead, first, "--yes")).isEqualTo(ExitCode.NOT_FOUND.number());

        assertThat(run("dead-letters", "discard", dead, "--all", "--yes")).isEqualTo(ExitCode.USAGE.number());
        assertThat(run("dead-letters", "discard", dead, "--all", "--yes", "--reason", "test data"))
                .isZero();
        assertThat(cli.out()).contains("discarded 2");
        assertThat(cli.run("dead-letters", "list", dead, "--kafka", kafka.bootstrapServers()))
                .isZero();
        assertThat(cli.out()).contains("There are no dead letters");
        for (String store : List.of("journal", "table")) {
            assertThat(run("audit", "--limit", "3", "--json", "--store", store)).isZero();
            assertThat(cli.out()).contains("discard-letter", "send-back", "evt-1", "evt-3", "test data");
        }
    }

    @Test
    void dead_letters_are_counted_by_consumer() throws Exception {
        String dead = topics.create(Topics.unused("counted") + ".dlt");
        for (String consumer : List.of("billing", "mail", "mail")) {
            topics.send(
                    dead,
                    new DeadLetterBody(Optional.of("evt"), new byte[] {1}, "no", Instant.now(), consumer).toJson(),
                    Map.of());
        }

        assertThat(run("dead-letters", "count", dead, "--json")).as(cli.err()).isZero();
        assertThat(cli.json().toString())
                .contains(
                        "\"destination\":\"kafka\",\"topic\":\"" + dead
                                + "\",\"consumer\":\"billing\",\"letters\":1,\"exact\":true",
                        "\"consumer\":\"mail\",\"letters\":2");
        assertThat(run("status", "--dead-letters")).as(cli.err()).isZero();
        assertThat(cli.out())
                .containsPattern("kafka +" + dead + " +billing +1")
                .containsPattern("kafka +" + dead + " +mail +2");
        assertThat(run("status", "--dead-letters", "--json")).isZero();
        assertThat(cli.json().get("relays").isArray()).isTrue();
        assertThat(cli.json().get("deadLetters").toString()).contains(dead, "billing");
        assertThat(run("doctor")).isIn(ExitCode.WARNINGS.number(), ExitCode.PROBLEMS.number());
        assertThat(cli.out().replaceAll("\\s+", " "))
                .contains(
                        "warning dead letters " + dead + ": 3 letters wait for an operator (1 of billing, 2 of mail)");
    }

    @Test
    void doctor_looks_at_brokers_and_topics_too() throws Exception {
        String there = topics.create(Topics.unused("there"));
        String missing = Topics.unused("missing");
        append(there, 1, 1, "x");
        append(missing, 1, 1, "x");

        assertThat(run("doctor")).isIn(ExitCode.WARNINGS.number(), ExitCode.PROBLEMS.number());
        assertThat(cli.out())
                .contains("store journal", "store table", "relay orders", "destination kafka")
                .containsPattern("ok +broker +Kafka at " + kafka.bootstrapServers() + " answers")
                .containsPattern("ok +topic +" + there + ", ")
                .containsPattern("warning +topic +" + missing + " does not exist");
    }

    private void publishAll(String topic, int events) throws Exception {
        try (Installation installation = Installation.read(Path.of(config));
                Relay relay = installation.plan("journal-to-kafka").start()) {
            Await.until("all are settled", () -> relay.statistics().published() == events);
        }
        assertThat(topics.count(topic)).isEqualTo(events);
    }

    private void append(String topic, int first, int last, String what) throws SQLException {
        execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload) select '" + topic
                + "', 'Order', i::text, ('{\"id\": ' || i || ', \"what\": \"" + what + "\"}')::json"
                + " from generate_series(" + first + ", " + last + ") i");
    }

    private static String payload(int id, String what) {
        return "{\"id\": " + id + ", \"what\": \"" + what + "\"}";
    }

    private String now() throws SQLException {
        return text("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')");
    }

    private int run(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--config";
        all[arguments.length + 1] = config;
        return cli.run(all);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
