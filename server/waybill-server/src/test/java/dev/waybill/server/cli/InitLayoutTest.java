package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.tck.Seeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code waybill init --layout}: printed or created, for every preset on every database. */
class InitLayoutTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static PostgresServer postgres;
    private static MariaDbServer mariaDb;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
        if (MariaDbServer.isInstalled()) {
            mariaDb = MariaDbServer.start();
        }
    }

    @AfterAll
    static void stop() {
        postgres.close();
        if (mariaDb != null) {
            mariaDb.close();
        }
    }

    /** Every layout, and every database with two of them, sometimes these and sometimes those; the full check takes all combinations. */
    static Stream<Arguments> everywhere() {
        List<String> databases = List.of("postgresql", "mariadb", "h2");
        List<String> layouts =
                new ArrayList<>(List.of("polyshop", "orders", "pubsub", "notifications", "waybill", "debezium"));
        Collections.shuffle(layouts, Seeds.ofSample());
        boolean all = Boolean.getBoolean("waybill.full");
        return IntStream.range(0, layouts.size())
                .boxed()
                .flatMap(i -> (all ? databases : List.of(databases.get(i % databases.size())))
                        .stream().map(database -> Arguments.of(layouts.get(i), database)));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void init_creates_a_layout_and_is_idempotent(String layout, String database) {
        String url = newDatabase(database);

        assertThat(waybill("init", "--layout", layout, "--url", url)).isZero();
        assertThat(printed()).contains("was created").contains("its side tables were created");
        assertThat(waybill("init", "--layout", layout, "--url", url)).isZero();
        assertThat(printed())
                .contains("already existed and matches the layout " + layout)
                .contains("its side tables already existed");
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void the_printed_script_creates_a_complete_schema(String layout, String database) throws SQLException {
        String url = newDatabase(database);
        assertThat(waybill("init", "--layout", layout, "--print", "--database", database))
                .isZero();
        run(url, printed());

        assertThat(waybill("init", "--layout", layout, "--url", url)).isZero();
        assertThat(printed()).contains("already existed").contains("its side tables already existed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "h2"})
    void init_creates_the_guard_if_asked_for(String database) throws SQLException {
        String url = newDatabase(database);
        assertThat(waybill("init", "--layout", "notifications", "--guard", "--url", url))
                .isZero();
        assertThat(printed()).contains("the guard ProcessedEvent is there");

        String other = newDatabase(database);
        assertThat(waybill("init", "--layout", "notifications", "--guard", "Sent", "--print", "--database", database))
                .isZero();
        String script = printed();
        run(other, script);
        assertThat(script).contains("Sent").doesNotContain("ProcessedEvent");
        assertThat(waybill("init", "--layout", "notifications", "--guard", "Sent", "--url", other))
                .isZero();
        assertThat(printed()).contains("the guard Sent is there");
    }

    @Test
    void init_says_what_keeps_a_relay_from_starting(@TempDir Path directory) throws IOException, SQLException {
        String url = newDatabase("postgresql");
        run(
                url,
                "create table \"ProcessedEvent\" (event_id uuid primary key, status varchar(20), created_at timestamp,"
                        + " updated_at timestamp);\n");
        String why = "PROBLEM, guard: event_id of the guard ProcessedEvent cannot hold the ids of EventOutbox";

        assertThat(waybill("init", "--layout", "notifications", "--guard", "--url", url))
                .isZero();
        assertThat(printed()).contains("init: " + why).contains("alter table \"ProcessedEvent\"");
        Path file = Files.writeString(directory.resolve("waybill.yaml"), """
                stores:
                  events: { type: table, url: "%s", layout: notifications, guard: ProcessedEvent }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
                relays:
                  all: { store: events, destination: kafka }
                """.formatted(url));
        assertThat(waybill("init", "--config", file.toString())).isZero();
        assertThat(printed()).contains("init: store events: " + why);
    }

    @Test
    void init_with_a_configuration_creates_the_schema_of_each_store(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("waybill.yaml"), """
                stores:
                  orders: { type: postgres-journal, url: "%s" }
                  legacy: { type: table, url: "%s", layout: orders }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
                relays:
                  orders-to-kafka: { store: orders, destination: kafka }
                """.formatted(newDatabase("postgresql"), newDatabase("postgresql")));
        assertThat(waybill("init", "--config", file.toString())).isZero();
        assertThat(printed())
                .contains("init: store orders: the schema waybill is ready")
                .contains("init: store legacy: the table outbox was created; its side tables were created");
        assertThat(waybill("init", "--config", file.toString(), "--store", "orders"))
                .isZero();
        assertThat(printed())
                .contains("init: store orders: the schema waybill is up to date")
                .doesNotContain("legacy");
        assertThat(waybill("init", "--config", file.toString(), "--relay", "anna"))
                .isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void the_name_of_a_table_can_be_chosen() throws SQLException {
        String url = newDatabase("postgresql");
        run(url, "create schema sales;\n");
        assertThat(waybill("init", "--layout", "orders", "--schema", "sales", "--table", "order outbox", "--url", url))
                .isZero();
        assertThat(printed()).contains("sales.order outbox was created");
        run(
                url,
                "insert into sales.\"order outbox\" (id, aggregate_type, aggregate_id, event_type, payload)"
                        + " values (gen_random_uuid(), 'Order', gen_random_uuid(), 'OrderCreated', '{}');\n");
    }

    @Test
    void for_an_existing_table_only_side_tables_are_printed() {
        assertThat(waybill("init", "--layout", "orders", "--existing", "--print"))
                .isZero();
        assertThat(printed()).contains("waybill_relay").doesNotContain("\"outbox\"");
    }

    @Test
    void a_table_that_does_not_match_is_reported_with_its_problems() throws SQLException {
        String url = newDatabase("postgresql");
        run(url, "create table outbox (id bigint primary key, payload text);\n");
        assertThat(waybill("init", "--layout", "orders", "--url", url)).isEqualTo(ExitCode.USAGE.number());
        assertThat(err.toString())
                .contains("no column aggregate_type", "set id-kind: number")
                .doesNotContain("\tat ");
    }

    @Test
    void an_unknown_layout_is_reported_with_the_known_ones() {
        assertThat(waybill("init", "--layout", "order", "--print")).isNotZero();
        assertThat(err.toString()).contains("polyshop, orders, pubsub, notifications, waybill");
    }

    @Test
    void grants_are_printed_with_the_table() {
        assertThat(waybill("init", "--layout", "orders", "--print", "--producer", "app", "--viewer", "Looks"))
                .isZero();
        assertThat(out.toString())
                .contains("grant insert on \"outbox\" to \"app\";", "grant select on \"waybill_claim\" to \"Looks\";");
    }

    private static String newDatabase(String kind) {
        return switch (kind) {
            case "postgresql" -> postgres.jdbcUrl(postgres.createDatabase("init"));
            case "mariadb" -> {
                assumeTrue(mariaDb != null, "MariaDB is not installed");
                yield mariaDb.jdbcUrl(mariaDb.createDatabase("init"));
            }
            default -> "jdbc:h2:mem:init" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
        };
    }

    private static void run(String url, String script) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : script.split(";\\s*\\n", -1)) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        }
    }

    private String printed() {
        String text = out.toString();
        out.getBuffer().setLength(0);
        return text;
    }

    private int waybill(String... arguments) {
        return WaybillCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
