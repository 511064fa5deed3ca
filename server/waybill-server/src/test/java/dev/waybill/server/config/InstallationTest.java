package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.mongodb.MongoStore;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.secrets.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
    private static final Path DESIGN =
            Path.of("src", "main", "resources", "dev", "waybill", "server", "config", "example.yaml");
    private static final Map<String, String> ENVIRONMENT = Map.of("ORDERS_DB_PASSWORD", "canary-1234");

    @TempDir
    private Path directory;

    private Installation read(String yaml) throws Exception {
        return Installation.read(
                Files.writeString(directory.resolve("waybill.yaml"), yaml), ENVIRONMENT::get, new Secrets());
    }

    @Test
    void the_example_configuration_can_be_read() {
        try (Installation installation = Installation.read(DESIGN, ENVIRONMENT::get, new Secrets())) {
            assertThat(installation.stores()).containsExactly("orders", "legacy");
            assertThat(installation.destinations()).containsExactly("kafka", "rabbit", "pubsub");
            assertThat(installation.relays()).containsExactly("orders-to-kafka");
            assertThat(installation.relaysOf("orders")).containsExactly("orders-to-kafka");
            assertThat(installation.serving().address().getPort()).isEqualTo(8085);
            RelayPlan plan = installation.plan("orders-to-kafka");
            assertThat(plan.options().batch().events()).isEqualTo(500);
            assertThat(plan.options().retention()).contains(Duration.ofDays(30));
            assertThat(plan.options().onDead()).isEqualTo(RelayOptions.OnDead.PASS);
            assertThat(plan.route()).hasToString("by type");
        }
    }

    @Test
    void its_text_has_all_defaults_and_no_secret() {
        Secrets secrets = new Secrets();
        try (Installation installation = Installation.read(DESIGN, ENVIRONMENT::get, secrets)) {
            assertThat(installation.text())
                    .contains(
                            "password: \"${ORDERS_DB_PASSWORD}\"",
                            "uri: \"amqp://[hidden]@localhost:5672/\"",
                            "lease: 5s")
                    .doesNotContain("canary-1234", "guest");
            assertThat(secrets.hide("canary-1234, guest")).isEqualTo("[hidden], [hidden]");
        }
    }

    @Test
    void its_text_reads_back_as_the_same() throws Exception {
        String text;
        try (Installation installation = Installation.read(DESIGN, ENVIRONMENT::get, new Secrets())) {
            text = installation.text();
        }
        try (Installation again = read(text.replace("[hidden]@", "guest:guest@"))) {
            assertThat(again.text()).isEqualTo(text.replaceAll(" # .*", ""));
        }
    }

    @Test
    void an_unknown_name_is_refused_with_a_suggestion() {
        try (Installation installation = Installation.read(DESIGN, ENVIRONMENT::get, new Secrets())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> installation.admin("order"))
                    .withMessage("The store \"order\" is not known here; did you mean \"orders\"?");
        }
    }

    @Test
    void values_have_defaults_and_can_come_from_the_environment() throws Exception {
        String yaml = """
                stores:
                  licenses:
                    type: table
                    url: "jdbc:postgresql://${DB_HOST:-localhost}/licenses"
                    layout: { preset: pubsub, max-attempts: "${MAX_ATTEMPTS:-25}" }
                destinations:
                  pubsub: { type: pubsub, project: demo, emulator: "localhost:8432" }
                relays:
                  licenses:
                    store: licenses
                    destination: pubsub
                    route: { topic: "${TOPIC:-pf-domain-events}" }
                    batch: ${BATCH:-50}
                    rate: 100
                    poll: { interval: "${POLL:-500ms}", initial-delay: 1s }
                """;
        try (Installation installation = read(yaml)) {
            RelayOptions options = installation.plan("licenses").options();
            assertThat(options.batch().events()).isEqualTo(50);
            assertThat(options.rate()).hasValue(100);
            assertThat(options.poll().interval()).isEqualTo(Duration.ofMillis(500));
            assertThat(options.poll().initialDelay()).isEqualTo(Duration.ofSeconds(1));
            assertThat(installation.plan("licenses").route()).hasToString("fixed topic pf-domain-events");
        }
        Path file = directory.resolve("waybill.yaml");
        Map<String, String> environment = Map.of("BATCH", "7", "POLL", "1s", "TOPIC", "other");
        try (Installation installation = Installation.read(file, environment::get, new Secrets())) {
            RelayOptions options = installation.plan("licenses").options();
            assertThat(options.batch().events()).isEqualTo(7);
            assertThat(options.poll().interval()).isEqualTo(Duration.ofSeconds(1));
            assertThat(installation.plan("licenses").route()).hasToString("fixed topic other");
        }
    }

    @Test
    void a_minimal_relay_has_the_defaults_of_the_code() throws Exception {
        String yaml = """
                stores:
                  orders: { type: postgres-journal, url: "jdbc:postgresql://localhost/orders" }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "localhost:9092" } }
                relays:
                  orders: { store: orders, destination: kafka }
                """;
        try (Installation installation = read(yaml)) {
            assertThat(installation.plan("orders").options()).isEqualTo(RelayOptions.defaults());
        }
    }

    @Test
    void free_values_are_printed_without_secrets() throws Exception {
        String yaml = """
                stores:
                  orders: { type: table, url: "jdbc:postgresql://localhost/orders", layout: orders }
                destinations:
                  rabbit:
                    type: rabbitmq
                    uri: "amqp://localhost/"
                    topology:
                      queues:
                        q1: { arguments: { x-queue-type: quorum, x-max-length: 5, x-password: canary-1234 } }
                        q2: {}
                relays:
                  orders: { store: orders, destination: rabbit }
                """;
        try (Installation installation = read(yaml)) {
            assertThat(installation.text())
                    .contains("x-queue-type: quorum", "x-max-length: 5", "q2: {}")
                    .doesNotContain("canary-1234");
        }
    }

    @Test
    void an_outbox_in_mongodb_is_a_store() throws Exception {
        String yaml = """
                stores:
                  users: { type: mongodb, uri: "mongodb://relay:canary-5678@localhost:1/?replicaSet=rs0", database: users }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "localhost:9092" } }
                relays:
                  users:
                    store: users
                    destination: kafka
                    format: stored
                    route: { by: stored-topic }
                """;
        try (Installation installation = read(yaml)) {
            assertThat(installation.text())
                    .contains(
                            "uri: \"mongodb://[hidden]@localhost:1/?replicaSet=rs0\"", "collection: outbox", "lock: 1m")
                    .doesNotContain("canary-5678");
            assertThat(installation.plan("users").store()).isInstanceOf(MongoStore.class);
            assertThat(installation.plan("users").options().poll().maxIdle()).isEqualTo(Duration.ofSeconds(10));
        }
        assertThatThrownBy(() -> read(yaml.replace("mongodb://relay", "mongo://relay")))
                .hasMessageContaining("the uri is not an address of MongoDB")
                .hasMessageNotContaining("canary-5678");
    }
}
