package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.EventIds;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A database with the table {@code pubsub} and one for notices, a topic, and the processes of one trial. Their configuration is
 * that of the documentation, and their settings come from the document's environment variables.
 */
final class LicenseScene implements AutoCloseable {
    static final String CHANGED = "license_status_changed";
    static final String MAX_ATTEMPTS = "7";
    private static final Pattern CONFIGURATION = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final String SCHEMA = """
            {"type": "object", "required": ["licenseId", "storeId", "status"]}""";

    private final List<RelayChild> children = new ArrayList<>();
    private final Map<String, String> environment;
    private final DataSource database;
    private final EmulatedTopic topic;
    private final Path file;

    /**
     * @param topic its subscription has the same name
     */
    LicenseScene(EmulatedTopic topic, String redis) throws Exception {
        this.topic = topic;
        String run = topic.name();
        String name = TrialServers.postgres().createDatabase("licenses");
        database = TrialServers.postgres().dataSource(name);
        try (Connection connection = database.getConnection()) {
            TableSchema.create(connection, TableLayout.pubsub());
        }
        execute(LicenseNotices.TABLE);
        environment = Map.ofEntries(
                Map.entry("PORT", "0"),
                Map.entry("DATABASE_URL", TrialServers.postgres().jdbcUrl(name)),
                Map.entry("REDIS_URL", redis),
                Map.entry("GOOGLE_CLOUD_PROJECT", EmulatedTopic.PROJECT),
                Map.entry("PUBSUB_EMULATOR_HOST", topic.address()),
                Map.entry("PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "20"),
                Map.entry("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "100"),
                Map.entry("PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", MAX_ATTEMPTS),
                Map.entry("PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", run),
                Map.entry("PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", run),
                Map.entry("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "48h"));
        file = Files.createDirectories(Path.of("target", "trials", run)).resolve("waybill.yaml");
        Files.writeString(file, documented());
        Files.writeString(file.resolveSibling("license_status_changed.schema.json"), SCHEMA);
    }

    Map<String, String> environment() {
        return environment;
    }

    DataSource database() {
        return database;
    }

    EmulatedTopic topic() {
        return topic;
    }

    /** A consumer in a process of its own, which kills itself after some commits. */
    RelayChild startDeadly(String consumer, int commits) throws Exception {
        RelayChild child = RelayChild.start(
                topic.name() + "-consumer",
                LicenseNotices.class,
                environment,
                List.of(consumer, Integer.toString(commits)));
        children.add(child);
        child.awaitWords(LicenseNotices.RUNS);
        return child;
    }

    void replay() throws Exception {
        RelayChild replay = RelayChild.startServer(
                topic.name() + "-again",
                environment,
                List.of(
                        "replay",
                        "start",
                        "--relay",
                        "licenses-to-pubsub",
                        "--type",
                        CHANGED,
                        "--reason",
                        "the search is new",
                        "--yes",
                        "--config",
                        file.toString()));
        children.add(replay);
        Await.until("the replay ends", () -> !replay.isAlive());
        assertThat(replay.exitCode()).as("%s", replay.linesWith("")).isZero();
    }

    /** The configuration that the documentation shows, unchanged. */
    private static String documented() throws IOException {
        Matcher blocks = CONFIGURATION.matcher(Files.readString(Path.of("..", "..", "docs", "pubsub.md")));
        assertThat(blocks.find()).isTrue();
        return blocks.group(1);
    }

    RelayChild startRelay() throws Exception {
        RelayChild child =
                RelayChild.startServer(topic.name() + "-relay", environment, List.of("run", file.toString()));
        children.add(child);
        child.awaitWords("says whether they make progress");
        return child;
    }

    /**
     * Inserts a row as a service does that knows nothing of Waybill.
     *
     * @param aggregateId as an SQL literal
     * @return its id
     */
    String insert(String type, String aggregateType, String aggregateId, String payload) throws SQLException {
        String id = EventIds.next();
        execute("insert into outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json)"
                + " values ('%s', '%s', '%s', %s, '%s')".formatted(id, type, aggregateType, aggregateId, payload));
        return id;
    }

    static String payload(int license, String status, String more) {
        return "{\"licenseId\":\"l-%d\",\"storeId\":%d,\"status\":\"%s\"%s}".formatted(license, license, status, more);
    }

    static Map<String, String> attributes(String id, String type) {
        return Map.of("event_id", id, "event_type", type);
    }

    void send(String key, Map<String, String> attributes, String body) throws Exception {
        Map<String, byte[]> headers = new HashMap<>();
        attributes.forEach((name, value) -> headers.put(name, value.getBytes(StandardCharsets.UTF_8)));
        topic.sendRaw(List.of(new HostileMessages.Raw(key, body.getBytes(StandardCharsets.UTF_8), headers)));
    }

    long notices(String consumer) throws SQLException {
        return count("notifications where consumer = '" + consumer + "'");
    }

    long count(String from) throws SQLException {
        return Long.parseLong(column("select count(*) from " + from).get(0));
    }

    List<String> column(String select) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        children.forEach(RelayChild::close);
    }
}
