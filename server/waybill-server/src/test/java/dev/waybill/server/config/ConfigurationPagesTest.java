package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jsonschema.JsonSchemaCheck;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.mongodb.MongoStoreOptions;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.relay.RelayOptions;
import dev.waybill.table.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigurationPagesTest {
    private static final Path RESOURCES = Path.of("src", "main", "resources", "dev", "waybill", "server", "config");

    /** With {@code -Dwaybill.docs.write=true} a page is written anew. */
    private static String written(Path page, String text) throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(page, text);
        }
        return Files.readString(page);
    }

    @Test
    void the_reference_page_matches_the_code() throws Exception {
        assertThat(written(Path.of("..", "..", "docs", "configuration.md"), ConfigurationPages.reference()))
                .as("stale: run ./waybill config --reference and put what it prints there")
                .isEqualTo(ConfigurationPages.reference());
    }

    @Test
    void the_schema_accepts_the_example_and_refuses_mistakes() throws Exception {
        JsonSchemaCheck schema = JsonSchemaCheck.of(ConfigurationPages.schema());
        String example = Files.readString(RESOURCES.resolve("example.yaml"));

        assertThat(schema.violations(json(example))).isEmpty();
        for (List<String> change : List.of(
                List.of("batch: 500", "bath: 500"),
                List.of("batch: 500", "batch: many"),
                List.of("interval: 50ms", "interval: 50"),
                List.of("type: kafka", "type: kafkaesque"),
                List.of("on-dead: pass", "on-dead: maybe"),
                List.of("    store: orders\n", ""))) {
            assertThat(schema.violations(json(example.replace(change.get(0), change.get(1)))))
                    .as(change.get(1))
                    .isNotEmpty();
        }
    }

    @Test
    void the_defaults_of_the_schema_are_those_of_the_code() {
        assertThat(List.of(
                        standard("relay", "batch"),
                        standard("relay", "batch-bytes"),
                        standard("relay", "on-dead"),
                        standard("relay", "lease"),
                        standard("relay", "grace")))
                .containsExactly(
                        Integer.toString(RelayOptions.defaults().batch().events()),
                        Long.toString(RelayOptions.defaults().batch().bytes()),
                        Section.written(RelayOptions.defaults().onDead()),
                        Durations.written(RelayOptions.defaults().lease()),
                        Durations.written(RelayOptions.defaults().grace()));
        assertThat(standard("relay", "in-flight/properties/timeout"))
                .isEqualTo(Durations.written(RelayOptions.defaults().inFlight().timeout()));
        assertThat(standard("postgres-journal", "start"))
                .isEqualTo(Section.written(JournalOptions.defaults().start()));
        assertThat(standard("postgres-journal", "wait-for"))
                .isEqualTo(Section.written(JournalOptions.defaults().waitFor().stage()));
        assertThat(standard("postgres-journal", "save/properties/events"))
                .isEqualTo(Integer.toString(JournalOptions.defaults().saveEvery()));
        assertThat(standard("postgres-journal", "save/properties/within"))
                .isEqualTo(Durations.written(JournalOptions.defaults().saveWithin()));
        assertThat(standard("table", "on-permanent-error"))
                .isEqualTo(Section.written(TableOptions.defaults().onPermanentError()));
        assertThat(standard("mongodb", "lock"))
                .isEqualTo(Durations.written(MongoStoreOptions.defaults().lock()));
        assertThat(standard("kafka", "delivery-timeout")).isEqualTo(Durations.written(KafkaOptions.DELIVERY_TIMEOUT));
        assertThat(standard("kafka", "topic-timeout")).isEqualTo(Durations.written(KafkaOptions.TOPIC_TIMEOUT));
        assertThat(standard("rabbitmq", "max-message-bytes")).isEqualTo(Long.toString(RabbitOptions.MAX_MESSAGE_BYTES));
        assertThat(standard("rabbitmq", "confirm-timeout")).isEqualTo(Durations.written(RabbitOptions.CONFIRM_TIMEOUT));
        assertThat(standard("rabbitmq", "connect-timeout")).isEqualTo(Durations.written(RabbitOptions.CONNECT_TIMEOUT));
        assertThat(standard("pubsub", "endpoint")).isEqualTo(PubSubOptions.ENDPOINT);
        assertThat(standard("pubsub", "delivery-timeout")).isEqualTo(Durations.written(PubSubOptions.DELIVERY_TIMEOUT));
        assertThat(standard("pubsub", "in-flight/properties/requests"))
                .isEqualTo(Integer.toString(PubSubOptions.IN_FLIGHT.requests()));
        assertThat(standard("pubsub", "in-flight/properties/bytes"))
                .isEqualTo(Long.toString(PubSubOptions.IN_FLIGHT.bytes()));
    }

    private static String standard(String section, String key) {
        return ConfigurationSchema.definition(section)
                .at("/properties/" + key + "/default")
                .asString();
    }

    @Test
    void the_schema_knows_every_kind_of_store_and_destination_and_every_column() {
        assertThat(types("store"))
                .isEqualTo(StoreType.ALL.stream().map(StoreType::name).toList());
        assertThat(types("destination"))
                .isEqualTo(
                        DestinationType.ALL.stream().map(DestinationType::name).toList());
        assertThat(ConfigurationSchema.keys(
                        ConfigurationSchema.definition("layout").at("/properties/columns")))
                .isEqualTo(Arrays.stream(TableColumn.values())
                        .map(Section::written)
                        .toList());
    }

    private static List<String> types(String kind) {
        return ConfigurationSchema.definition(kind)
                .at("/properties/type/enum")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static JsonNode json(String yaml) {
        return JsonMapper.builder()
                .build()
                .valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }
}
