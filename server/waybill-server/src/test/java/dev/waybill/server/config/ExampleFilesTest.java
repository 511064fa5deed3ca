package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jsonschema.JsonSchemaCheck;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.relay.RelayOptions;
import dev.waybill.server.secrets.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/** The files of docs/examples work as they are, with the variables that they name. */
class ExampleFilesTest {
    static final Path EXAMPLES = Path.of("..", "..", "docs", "examples");
    private static final Map<String, String> PASSWORDS =
            Map.of("DB_PASSWORD", "canary-1234", "SPRING_RABBITMQ_PASSWORD", "canary-5678");

    static Installation read(String name, Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(PASSWORDS);
        environment.putAll(variables);
        return Installation.read(EXAMPLES.resolve(name + ".yaml"), environment::get, new Secrets());
    }

    private static RelayOptions options(String name, Map<String, String> variables) {
        try (Installation installation = read(name, variables)) {
            return installation.options(installation.relays().iterator().next());
        }
    }

    @Test
    void there_is_one_for_each_document() throws Exception {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".yaml")))
                    .contains("polyshop.yaml", "mongodb.yaml", "pubsub.yaml", "orders.yaml", "notifications.yaml");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"polyshop", "orders", "pubsub", "notifications"})
    void with_passwords_only_a_relay_has_the_settings_of_its_preset(String name) {
        RelayOptions preset = RelayOptions.of(TableLayout.preset(name).relayDefaults());
        RelayOptions options = options(name, Map.of());

        assertThat(options.batch()).isEqualTo(preset.batch());
        assertThat(options.poll()).isEqualTo(preset.poll());
        assertThat(options.retry()).isEqualTo(preset.retry());
        assertThat(options.countOutages()).isFalse();
    }

    @Test
    void with_no_variable_at_all_a_relay_of_mongodb_has_the_settings_of_its_store() {
        RelayOptions options = options("mongodb", Map.of());
        assertThat(options)
                .isEqualTo(RelayOptions.of(MongoStore.relayDefaults()).retention(Duration.ofDays(30)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"polyshop", "mongodb", "pubsub", "orders", "notifications"})
    void config_prints_each_of_them_with_the_origin_of_its_settings_and_without_secrets(String name) {
        try (Installation installation = read(name, Map.of())) {
            assertThat(installation.text())
                    .contains(name.equals("mongodb") ? "# type mongodb" : "# preset " + name, "# default")
                    .doesNotContain("canary");
        }
    }

    @Test
    void g14_the_variables_of_the_publisher_work() {
        Map<String, String> variables = Map.of(
                "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "7",
                "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250",
                "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "4",
                "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "pf-other");
        RelayOptions options = options("pubsub", variables);
        Duration poll = Duration.ofMillis(250);
        assertThat(options.batch().events()).isEqualTo(7);
        assertThat(options.poll()).isEqualTo(new RelayOptions.Poll(poll, poll));
        assertThat(options.retry()).isEqualTo(new RetryPolicy(3, poll, 1, poll));
        try (Installation installation = read("pubsub", variables)) {
            assertThat(installation.text())
                    .contains(
                            "      max-attempts: 4 # ${PACKFINDERZ_OUTBOX_MAX_ATTEMPTS:-25}\n",
                            "      retries: 3 # max-attempts of the layout\n",
                            "    batch: 7 # ${PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE:-50}\n",
                            "      interval: 250ms # ${PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS:-500}ms\n",
                            "topic: pf-other # ${PACKFINDERZ_PUBSUB_DOMAIN_TOPIC:-pf-domain-events}\n");
            assertThat(installation.route("outbox-to-pubsub").topicOf("license_status_changed", "license"))
                    .contains("pf-other");
        }
    }

    @Test
    void n8_the_properties_of_the_producer_work_as_variables() {
        RelayOptions options = options(
                "notifications",
                Map.of(
                        "NOTIFICATION_OUTBOX_POLL_INTERVAL", "300",
                        "NOTIFICATION_OUTBOX_BATCH_SIZE", "20",
                        "NOTIFICATION_OUTBOX_INITIAL_DELAY", "900",
                        "SPRING_RABBITMQ_HOST", "broker.internal",
                        "SPRING_RABBITMQ_PORT", "5673"));
        Duration poll = Duration.ofMillis(300);
        assertThat(options.batch().events()).isEqualTo(20);
        assertThat(options.poll()).isEqualTo(new RelayOptions.Poll(poll, poll, Duration.ofMillis(900)));
        assertThat(options.retry()).isEqualTo(new RetryPolicy(RetryPolicy.UNLIMITED, poll, 1, poll));
    }

    @Test
    void the_variables_of_the_worker_work() {
        RelayOptions options = options(
                "polyshop",
                Map.of("BATCH_SIZE", "5", "IDLE_SLEEP_MS", "40", "RETRY_SLEEP_MS", "60", "COUNT_OUTAGES", "true"));
        assertThat(options.batch().events()).isEqualTo(5);
        assertThat(options.poll().maxIdle()).isEqualTo(Duration.ofMillis(40));
        assertThat(options.retry().first()).isEqualTo(Duration.ofMillis(60));
        assertThat(options.countOutages()).isTrue();
    }

    @Test
    void editors_accept_all_of_them() throws Exception {
        JsonSchemaCheck schema = JsonSchemaCheck.of(ConfigurationPages.schema());
        for (String name : List.of("polyshop", "mongodb", "pubsub", "orders", "notifications")) {
            Object yaml = new Load(LoadSettings.builder().build())
                    .loadFromString(Files.readString(EXAMPLES.resolve(name + ".yaml")));
            assertThat(schema.violations(JsonMapper.shared().valueToTree(yaml)))
                    .as(name)
                    .isEmpty();
        }
    }
}
