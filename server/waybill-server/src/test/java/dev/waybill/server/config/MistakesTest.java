package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.server.secrets.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MistakesTest {
    private static final String GOOD = """
            stores:
              shop:
                type: table
                url: jdbc:postgresql://localhost/shop
                layout: orders
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "localhost:9092" } }
            relays:
              orders:
                store: shop
                destination: kafka
                batch: 500
            """;

    @TempDir
    private Path directory;

    private List<String> mistakes(String yaml, Map<String, String> environment) throws Exception {
        Path file = Files.writeString(directory.resolve("waybill.yaml"), yaml);
        ConfigurationException wrong = catchThrowableOfType(
                ConfigurationException.class, () -> Installation.read(file, environment::get, new Secrets()));
        return wrong == null
                ? List.of()
                : wrong.mistakes().stream().map(Mistake::toString).toList();
    }

    private List<String> mistakes(String yaml) throws Exception {
        return mistakes(yaml, Map.of());
    }

    @Test
    void a_correct_file_has_no_mistakes() throws Exception {
        assertThat(mistakes(GOOD)).isEmpty();
    }

    /** Each change breaks the good file in one way. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            batch: 500            | bath: 500                | line 12: relays.orders.bath: is not known here; did you mean "batch"?
            batch: 500            | batch: many              | line 12: relays.orders.batch: is "many" and must be a whole number from 1 to 2147483647
            batch: 500            | batch:                   | line 12: relays.orders.batch: has no value: it must be a whole number from 1 to 2147483647
            batch: 500            | batch: [500]             | line 12: relays.orders.batch: must be a whole number from 1 to 2147483647
            batch: 500            | store: shop              | line 12: relays.orders.store: is given twice: remove one
            batch: 500            | lease: 5 seconds         | line 12: relays.orders.lease: is "5 seconds" and must be a duration, such as 50ms, 5s, 10m, 12h or 30d
            batch: 500            | lease: 1ms               | line 10: relays.orders: The lease is 1 ms: use at least 500 ms, because a shorter lease may expire between two renewals.
            batch: 500            | format: envelope         | line 10: relays.orders: the envelope has no source: give the key source, such as order-service
            batch: 500            | route: { by: registry }  | line 10: relays.orders: the route is by registry, but the relay has none: add the key registry
            batch: 500            | route: { topic: a, template: "{type}" } | line 10: relays.orders: the route has topic and template: give one of them
            batch: 500            | route: { template: "{typ}" } | line 10: relays.orders: The route's template "{typ}" has an unknown placeholder {typ}. Use {type}, {aggregateType} or {aggregateId} in it, as in "shop.{aggregateType}.events".
            store: shop           | store: shp               | line 10: relays.orders.store: is "shp", which is not known here; did you mean "shop"?
            destination: kafka    | bach: 5                  | line 10: relays.orders.destination: is missing: give a text that is not blank
            type: table           | type: tabel              | line 3: stores.shop.type: is "tabel" and must be one of postgres-journal, table, mongodb
            layout: orders        | layout: { table: x }     | line 3: stores.shop: The layout x of table x names no column for the id.
            layout: orders        | layout: debezium         | line 3: stores.shop: the table outbox cannot be read in order: the layout debezium names neither a sequence nor a creation time. Add a sequence to the table (doctor prints the statement) and name it in the layout, as in columns: { sequence: seq }, or set competing: true (COMPETING), without order
            layout: orders        | created: { from: today } | line 5: stores.shop.created.from: is "today" and must be a time, such as 2026-11-15T08:30:00Z
            jdbc:postgresql       | jdbc:oracle              | line 3: stores.shop: the url has neither the form jdbc:postgresql://HOST:PORT/DATABASE nor jdbc:mariadb://HOST:PORT/DATABASE, each optionally followed by ?NAME=VALUE&…. A user or a password does not belong there, since drivers log it: give them with the keys user and password of a configuration, or on the command line with --user, and --password-file or WAYBILL_DB_PASSWORD
            bootstrap.servers     | client.id                | line 7: destinations.kafka: The Kafka options have 1 problem(s):
            orders:               | 'the orders:'            | line 10: relays.the orders: is not a valid name: use 1 to 100 letters, digits, dots, hyphens or underscores, beginning with a letter or digit
            """)
    void a_mistake_is_reported_with_its_line(String good, String bad, String told) throws Exception {
        assertThat(mistakes(GOOD.replace(good, bad)))
                .anySatisfy(mistake -> assertThat(mistake.lines().findFirst()).contains(told));
    }

    @Test
    void invalid_yaml_is_reported_with_its_line_and_without_its_text() throws Exception {
        assertThat(mistakes("stores:\n  a: [canary-1234\nrelays: }"))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake)
                        .startsWith("line 3: this is not YAML")
                        .doesNotContain("canary"));
        assertThat(mistakes(""))
                .containsExactly(
                        "line 1: the file is empty: it needs a section with server, stores," + " destinations, relays");
        assertThat(mistakes(GOOD + "---\na: b\n"))
                .containsExactly("line 1: the file has more than one document: remove the line --- between them");
    }

    @Test
    void a_missing_file_is_reported() {
        ConfigurationException wrong = catchThrowableOfType(
                ConfigurationException.class, () -> Installation.read(directory.resolve("none.yaml")));
        assertThat(wrong)
                .hasMessageContaining("There is no file " + directory.resolve("none.yaml"))
                .hasMessageNotContaining("Exception");
    }

    @Test
    void an_unknown_address_is_reported() throws Exception {
        assertThat(mistakes(GOOD + "server: { address: nowhere.invalid }\n"))
                .containsExactly(
                        "line 13: server.address: is not an address of this machine: use 127.0.0.1, or a name that"
                                + " can be resolved");
    }

    @Test
    void recursive_yaml_is_reported() throws Exception {
        assertThat(mistakes(GOOD.replace("layout: orders", "layout: &a { columns: *a }")))
                .anyMatch(mistake -> mistake.contains("is nested too deeply"));
    }

    /** Each level refers to the one above it several times. */
    @ParameterizedTest
    @ValueSource(strings = {"&a { columns: *a, type: *a, topic: *a }", "&a [*a, *a, *a]"})
    void yaml_that_contains_itself_many_times_is_told_soon(String layout) throws Exception {
        assertThat(mistakes(GOOD.replace("layout: orders", "layout: " + layout)))
                .anyMatch(mistake ->
                        mistake.contains("is one value too many: a file may have 20000, repeated ones included"));
    }

    @Test
    void yaml_nested_too_deep_for_the_stack_is_told() throws Exception {
        assertThat(mistakes("[".repeat(100_000)))
                .containsExactly("line 1: this is not YAML that can be read: it is too long, or nested too deeply");
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "null", ""})
    void a_key_without_a_value_is_told(String nothing) throws Exception {
        assertThat(mistakes(GOOD + "server: { address: " + nothing + " }\n"))
                .containsExactly("line 13: server.address: has no value: it must be a text that is not blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"100000d", "1000000h", "100000000m", "1000000000s", "1000000000ms"})
    void a_duration_of_centuries_is_refused(String duration) throws Exception {
        assertThat(mistakes(GOOD + "    lease: " + duration + "\n"))
                .containsExactly("line 13: relays.orders.lease: is \"" + duration
                        + "\" and must be a duration, such as 50ms, 5s, 10m, 12h or 30d");
    }

    @Test
    void mistakes_in_a_list_are_reported_with_their_index() throws Exception {
        String journal = GOOD.replace("type: table", "type: postgres-journal")
                .replace("layout: orders", "wait-for: replica\n    standbys: [ \"${NONE}\", a, [ b ] ]");
        assertThat(mistakes(journal))
                .anyMatch(mistake -> mistake.startsWith("line 6: stores.shop.standbys[0]: refers to"))
                .anyMatch(
                        mistake -> mistake.equals("line 6: stores.shop.standbys[2]: must be a text that is not blank"));
    }

    @Test
    void an_unknown_zone_is_reported() throws Exception {
        assertThat(mistakes(GOOD.replace("layout: orders", "layout: { preset: orders, times-in: Mars/Base }")))
                .containsExactly(
                        "line 5: stores.shop.layout.times-in: is \"Mars/Base\" and must be a time zone, such as"
                                + " UTC or Europe/Rome");
    }

    @Test
    void an_empty_time_range_is_reported() throws Exception {
        String range = "created: { from: 2026-11-02T00:00:00Z, until: %s }\n    layout";
        assertThat(mistakes(GOOD.replace("layout", range.formatted("2026-11-03T00:00:00Z"))))
                .isEmpty();
        assertThat(mistakes(GOOD.replace("layout", range.formatted("2026-11-01T00:00:00Z"))))
                .containsExactly(
                        "line 3: stores.shop: The range from 2026-11-02T00:00:00Z until 2026-11-01T00:00:00Z is"
                                + " empty: the end must be after the beginning.");
    }

    @Test
    void a_table_is_read_by_one_relay() throws Exception {
        assertThat(mistakes(GOOD + "  again: { store: shop, destination: kafka }\n"))
                .containsExactly("line 13: relays.again.store: is read by the relay orders already, and a store of type"
                        + " table marks each event once: let one relay read it");
    }

    @Test
    void exactly_once_needs_a_journal_and_kafka_and_outages_that_do_not_count() throws Exception {
        String once = GOOD.replace("batch: 500", "delivery: exactly-once");
        assertThat(mistakes(once))
                .containsExactly(
                        "line 10: relays.orders.delivery: is exactly-once, which a store of type table cannot do:"
                                + " use a store of type postgres-journal, or at-least-once");
        String journal = once.replace("type: table", "type: postgres-journal").replace("    layout: orders\n", "");
        assertThat(mistakes(journal)).isEmpty();
        assertThat(mistakes(journal + "    count-outages: true\n"))
                .containsExactly("line 9: relays.orders.delivery: is exactly-once, which parks nothing: outages cannot"
                        + " count, so remove count-outages");
        assertThat(mistakes(journal.replaceAll("kafka: .*", "kafka: { type: rabbitmq, uri: \"amqp://localhost/\" }")))
                .containsExactly("line 9: relays.orders.delivery: is exactly-once, which a destination of type rabbitmq"
                        + " cannot do: use a destination of type kafka, or at-least-once");
    }

    @Test
    void the_size_of_transactions_is_refused_on_a_relay_that_has_none() throws Exception {
        assertThat(mistakes(GOOD.replace("batch: 500", "transaction: { max-events: 5 }")))
                .containsExactly("line 12: relays.orders.transaction: has no effect on a relay that delivers at least"
                        + " once: remove it, or add delivery: exactly-once");
        assertThat(mistakes(GOOD.replace("batch: 500", "transaction: { max-events: 10000, linger: 100ms }")))
                .as("the defaults, as waybill config prints them")
                .isEmpty();
    }

    @Test
    void retention_is_a_key_of_the_store() throws Exception {
        String journal = GOOD.replace("type: table", "type: postgres-journal").replace("    layout: orders\n", "");
        assertThat(mistakes(journal.replace(
                        "    type: postgres-journal\n", "    type: postgres-journal\n    retention: 30d\n")))
                .isEmpty();
        assertThat(mistakes(journal + "  again: { store: shop, destination: kafka, retention: 1d }\n"))
                .singleElement()
                .satisfies(mistake ->
                        assertThat(mistake).startsWith("line 12: relays.again.retention: is not known here"));
    }

    @Test
    void references_to_missing_variables_and_files_are_reported() throws Exception {
        assertThat(mistakes(GOOD.replace("500", "${BATCH}")))
                .containsExactly("line 12: relays.orders.batch: refers to the environment variable BATCH, which is not"
                        + " set: set it, or write ${BATCH:-otherwise}");
        assertThat(mistakes(GOOD.replace("500", "${file:none}")))
                .containsExactly("line 12: relays.orders.batch: refers to the file none, which cannot be read"
                        + " (NoSuchFileException)");
        assertThat(mistakes(GOOD.replace("500", "${a b}")))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake).contains("neither a variable nor a file"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"500ms", " 500", "canary-1234"})
    void a_wrong_value_of_a_variable_is_told_once_with_its_name_and_without_the_value(String value) throws Exception {
        String yaml = GOOD + "    poll: { interval: \"${POLL_MS:-500}ms\", max-idle: \"${POLL_MS:-500}ms\" }\n";
        assertThat(mistakes(yaml, Map.of("POLL_MS", value)))
                .containsExactly("line 13: relays.orders.poll.interval: comes from the environment variable POLL_MS"
                        + " with \"ms\" added to it and must be a duration, such as 50ms, 5s, 10m, 12h or 30d");
    }

    @Test
    void the_source_of_a_wrong_value_may_be_a_default_a_file_a_property_or_several_variables() throws Exception {
        String number = " and must be a whole number from 1 to 2147483647";
        Files.writeString(directory.resolve("batch"), "canary-1234");
        assertThat(mistakes(GOOD.replace("500", "${BATCH:-many}")))
                .containsExactly(
                        "line 12: relays.orders.batch: comes from the default of the environment variable BATCH"
                                + number);
        assertThat(mistakes(GOOD.replace("500", "${file:batch}")))
                .containsExactly("line 12: relays.orders.batch: comes from the file batch" + number);
        assertThat(mistakes(GOOD.replace("500", "${A}${batch.size}"), Map.of("A", "1", "BATCH_SIZE", "x")))
                .containsExactly(
                        "line 12: relays.orders.batch: comes from the environment variable A and the environment"
                                + " variable BATCH_SIZE" + number);
        assertThat(mistakes(GOOD.replace("store: shop", "store: ${STORE}"), Map.of("STORE", "shp")))
                .containsExactly("line 10: relays.orders.store: comes from the environment variable STORE and is not"
                        + " known here; did you mean \"shop\"?");
    }

    @Test
    void references_are_expanded() throws Exception {
        Files.writeString(directory.resolve("batch"), " 7\n");
        assertThat(batch("${BATCH}", Map.of("BATCH", "5"))).isEqualTo(5);
        assertThat(batch("${BATCH:-6}", Map.of())).isEqualTo(6);
        assertThat(batch("${file:batch}", Map.of())).isEqualTo(7);
        assertThat(batch("1${BATCH}2", Map.of("BATCH", "0"))).isEqualTo(102);
    }

    private int batch(String written, Map<String, String> environment) throws Exception {
        Path file = Files.writeString(directory.resolve("waybill.yaml"), GOOD.replace("500", written));
        try (Installation installation = Installation.read(file, environment::get, new Secrets())) {
            return installation.plan("orders").options().batch().events();
        }
    }

    @Test
    void a_password_that_yaml_misreads_is_not_quoted() throws Exception {
        for (String password :
                List.of(" *canary-1234", ":canary-1234", "=canary-1234", " [canary-1234", " @canary-1234")) {
            assertThat(mistakes("stores: { a: { password" + (password.startsWith(" ") ? ":" : "") + password + " } }"))
                    .as(password)
                    .isNotEmpty()
                    .noneMatch(mistake -> mistake.contains("canary"));
        }
        assertThat(mistakes("stores: { a: { type: table, password:canary-1234 } }"))
                .anyMatch(mistake -> mistake.contains("stores.a.password: has no colon and space after it"));
    }

    @Test
    void a_url_with_a_user_or_a_password_is_refused_before_a_driver_sees_it() throws Exception {
        for (String url : List.of(
                "jdbc:postgresql://app:canary-1234@host/db",
                "jdbc:mariadb://app:canary-1234@host:3306/db",
                "jdbc:postgresql://app:canary-1234/5@host/db",
                "jdbc:postgresql://app@host/db",
                "jdbc:mariadb://address=(host=h1)(port=3306)(user=app)(password=canary-1234)/db",
                "jdbc:mariadb://h1,address=(host=h2)(PASSWORD=canary-1234)/db",
                "jdbc:mariadb:app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:load-balance:app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:load-balance://app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:load-balance://address=(host=h1)(password=canary-1234)/db",
                "jdbc:mariadb:/app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:canary-1234://127.0.0.1:3306/db",
                "jdbc:mariadb:canary-1234",
                "jdbc:mysql://app:canary-1234@127.0.0.1/db",
                "jdbc:postgresql:app:canary-1234@host/db",
                "jdbc:postgresql:/app:canary-1234@host/db",
                "jdbc:oracle:thin:app/canary-1234@host:1521/db",
                "JDBC:POSTGRESQL://app:canary-1234@host/db",
                " jdbc:postgresql://app:canary-1234@host/db",
                "canary-1234",
                "jdbc:h2:tcp://app:canary-1234@host/db",
                "jdbc:h2:mem:db;user=app;password=canary-1234",
                "jdbc:postgresql://host/db?user=app&password=canary-1234")) {
            assertThat(mistakes("stores: { a: { type: table, layout: polyshop, url: \"" + url + "\" } }"))
                    .as(url)
                    .anyMatch(mistake -> mistake.contains("with the key"))
                    .noneMatch(mistake -> mistake.contains("canary"));
        }
        for (String url : List.of(
                "jdbc:postgresql://h1:5432,h2:5432/db?user=a@b&targetServerType=primary",
                "jdbc:postgresql://[::1]:5432/db",
                "jdbc:postgresql:db",
                "jdbc:postgresql:db?user=app&sslmode=disable",
                "jdbc:postgresql://host",
                "jdbc:h2:mem:db;DB_CLOSE_DELAY=-1",
                "jdbc:h2:file:/data/db",
                "jdbc:mariadb:sequential://h1,h2:3306/db",
                "jdbc:mariadb:loadbalance://h1,h2:3306/db",
                "jdbc:mariadb:load-balance://h1,h2:3306/db?sslMode=verify-full",
                "jdbc:mariadb://address=(host=h1)(port=3306)(type=primary)/db")) {
            assertThat(mistakes("stores: { a: { type: table, layout: polyshop, url: \"" + url + "\" } }"))
                    .as(url)
                    .noneMatch(mistake -> mistake.contains("with the key"));
        }
    }

    @Test
    void no_mistake_shows_a_secret() throws Exception {
        Map<String, String> environment = Map.of("SECRET", "canary-1234");
        String bad = GOOD.replace("500", "${SECRET}")
                        .replace(
                                "url: jdbc:postgresql://localhost",
                                "password: ${SECRET}\n    url: jdbc:x://u:canary-1234@h")
                        .replace(
                                "\"localhost:9092\"",
                                "\"localhost:9092\", acks: canary-1234, sasl.mechanism: [canary-1234]")
                + "  other: { store: canary-1234, destination: kafka }\n";
        assertThat(mistakes(bad, environment)).hasSize(4).noneMatch(mistake -> mistake.contains("canary-1234"));
    }
}
