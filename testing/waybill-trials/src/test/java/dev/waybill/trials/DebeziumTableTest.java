package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.server.config.Installation;
import dev.waybill.testkit.Await;
import dev.waybill.trials.Messages.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A team leaves Debezium: its outbox table, created and filled by plain SQL as the router's documentation shows it, is drained by
 * {@code waybill run}, and consumers get the messages that they got before.
 */
class DebeziumTableTest {
    private static final String ID = "406c07f3-26f0-4eea-a50c-109940064b8f";
    private static final int LATER = 50;
    private static final int KEYS = 3;

    private static final String TABLE = """
            create table outbox (
                id uuid not null primary key,
                aggregatetype varchar(255) not null,
                aggregateid varchar(255) not null,
                type varchar(255) not null,
                payload jsonb)""";

    private static final String FIRST = """
            insert into outbox (id, aggregatetype, aggregateid, type, payload)
            values ('%s', 'order', '1', 'OrderCreated', '{"id":1,"lineItems":[{"id":1,"item":"A book"}],"customerId":123}')""".formatted(ID);

    /** What the router's default settings and string converters make of that row, according to its documentation. */
    private static final Map<String, String> BY_DEBEZIUM = Map.of(
            "topic", "outbox.event.order",
            "key", "1",
            "headers", Map.of("id", ID).toString(),
            "payload", "{\"id\": 1, \"lineItems\": [{\"id\": 1, \"item\": \"A book\"}], \"customerId\": 123}");

    private static final String CONFIGURATION = """
            server: { port: 0 }
            stores:
              orders: { type: table, url: "URL", layout: { preset: debezium, columns: { sequence: seq } } }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "KAFKA" } }
            relays:
              orders:
                store: orders
                destination: kafka
                format: debezium
                route: { template: "outbox.event.{aggregateType}" }
            """;

    private final PostgresServer server = TrialServers.postgres();
    private final String database = server.createDatabase("debezium");

    @Tag("full")
    @Test
    void rows_are_sent_in_order_as_debezium_sends_them_and_deleted() throws Exception {
        String topic = BY_DEBEZIUM.get("topic");
        Topics.make(List.of(topic));
        execute(TABLE, FIRST, "alter table outbox add column seq bigint generated always as identity unique");
        for (int i = 0; i < LATER; i++) {
            execute("insert into outbox (id, aggregatetype, aggregateid, type, payload) values (gen_random_uuid(),"
                    + " 'order', 'later-" + i % KEYS + "', 'OrderChanged', '{\"number\": " + i + "}')");
        }
        Path file =
                Files.createDirectories(Path.of("target", "trials", "debezium")).resolve("waybill.yaml");
        Files.writeString(
                file,
                CONFIGURATION
                        .replace("URL", server.jdbcUrl(database))
                        .replace("KAFKA", TrialServers.kafka().bootstrapServers()));
        try (Installation installation = Installation.read(file)) {
            assertThat(installation.init("orders")).contains("the table outbox already existed and matches");
        }
        List<Message> messages;
        try (RelayChild process =
                RelayChild.startServer("debezium-one", Map.of(), List.of("run", file.toString(), "--log", "json"))) {
            Await.until("the table to be empty", () -> number("select count(*) from outbox") == 0);
            messages = Messages.on(topic);
            assertThat(process.isAlive()).isTrue();
        }

        assertThat(messages).hasSize(1 + LATER);
        Message first = messages.stream()
                .filter(message -> message.headers().containsValue(ID))
                .findFirst()
                .orElseThrow();
        Map<String, String> ours = Map.of(
                "topic", topic,
                "key", first.key(),
                "headers", first.headers().toString(),
                "payload", first.text());
        for (String part : List.of("topic", "key", "headers", "payload")) {
            System.out.printf(
                    "%-8s Debezium: %s%n%-8s Waybill:  %s%n", part, BY_DEBEZIUM.get(part), "", ours.get(part));
        }
        assertThat(ours).isEqualTo(BY_DEBEZIUM);
        for (int key = 0; key < KEYS; key++) {
            String wanted = "later-" + key;
            List<Integer> numbers = messages.stream()
                    .filter(message -> wanted.equals(message.key()))
                    .map(message -> Integer.valueOf(message.text().replaceAll("\\D", "")))
                    .toList();
            assertThat(numbers).hasSizeGreaterThan(LATER / KEYS - 1).isSorted();
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
