package dev.waybill.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;

class ConnectorConfigurationTest {
    private static final String STRING_CONVERTER = "org.apache.kafka.connect.storage.StringConverter";

    private final WaybillSourceConnector connector = new WaybillSourceConnector();

    private static Map<String, String> journal() {
        return new HashMap<>(Map.of(
                "relay",
                "orders",
                "store.url",
                "jdbc:postgresql://localhost:5432/orders",
                "key.converter",
                STRING_CONVERTER,
                "value.converter",
                STRING_CONVERTER,
                "value.as",
                "string"));
    }

    private static Map<String, String> table() {
        Map<String, String> table = journal();
        table.put("store.type", "table");
        table.put("store.layout", "debezium");
        table.put("store.layout.columns.sequence", "seq");
        return table;
    }

    private List<String> mistakes(Map<String, String> configuration) {
        Config found = connector.validate(configuration);
        return found.configValues().stream()
                .flatMap(value -> value.errorMessages().stream())
                .toList();
    }

    @Test
    void a_journal_and_a_table_need_few_keys() {
        assertThat(mistakes(journal())).isEmpty();
        assertThat(mistakes(table())).isEmpty();
    }

    @Test
    void all_mistakes_of_connects_own_keys_are_listed_together() {
        Map<String, String> configuration = journal();
        configuration.remove("value.converter");
        configuration.put("errors.tolerance", "all");
        configuration.put("tasks.max", "1");
        configuration.put("stores", "north, south");
        configuration.put("exactly.once.support", "required");
        configuration.put("producer.override.max.in.flight.requests.per.connection", "5");
        configuration.put("store.urll", "x");
        configuration.put("format", "xml");

        assertThat(mistakes(configuration))
                .hasSize(7)
                .anyMatch(mistake -> mistake.startsWith("value.converter: is not given"))
                .anyMatch(mistake -> mistake.startsWith("errors.tolerance: is all"))
                .anyMatch(mistake -> mistake.startsWith("tasks.max: is 1, and there are 2 stores"))
                .anyMatch(mistake -> mistake.startsWith("transaction.boundary: is not connector"))
                .anyMatch(
                        mistake -> mistake.startsWith("producer.override.max.in.flight.requests.per.connection: is 5"))
                .anyMatch(mistake -> mistake.startsWith("store.urll: is not known"))
                .anyMatch(mistake -> mistake.contains("xml"));
    }

    @Test
    void all_mistakes_of_a_store_and_its_relay_are_listed_together() {
        Map<String, String> configuration = table();
        configuration.put("store.url", "jdbc:oracle:orders");
        configuration.put("store.layout.columns.colour", "red");
        configuration.put("format", "envelope");
        configuration.put("route.topic", "a");
        configuration.put("route.template", "{type}");
        configuration.put("lease.ms", "1");
        configuration.put("transaction.linger.ms", "60000");
        configuration.put("producer.override.max.request.size", "1000");
        configuration.put("exactly.once.support", "required");
        configuration.put("transaction.boundary", "connector");

        assertThat(mistakes(configuration))
                .anyMatch(mistake -> mistake.startsWith("store.url: the url does not begin with jdbc:postgresql:"))
                .anyMatch(mistake -> mistake.startsWith("store.layout: store.layout.columns.colour is not known"))
                .anyMatch(mistake -> mistake.startsWith("format: the envelope has no source"))
                .anyMatch(mistake -> mistake.startsWith("route.by: the route has route.topic and route.template"))
                .anyMatch(mistake -> mistake.startsWith("poll.interval.ms: The lease is 1 ms"))
                .anyMatch(mistake -> mistake.startsWith("transaction.linger.ms: "))
                .anyMatch(mistake -> mistake.startsWith("max-message-bytes: is 1000000, more than"))
                .anyMatch(mistake -> mistake.startsWith("exactly.once.support: is required, but a table"))
                .hasSize(8);
    }

    @Test
    void a_converter_that_does_not_fit_what_it_gets_is_refused() {
        Map<String, String> configuration = journal();
        configuration.put("value.as", "bytes");
        configuration.put("key.as", "bytes");
        configuration.put("key.converter", "StringConverter");
        // It would send the name of the array's class and its hash code.
        assertThat(new String(new StringConverter().fromConnectData("orders", null, new byte[] {1}), UTF_8))
                .startsWith("[B@");
        assertThat(mistakes(configuration))
                .anyMatch(mistake -> mistake.startsWith("value.as: is bytes, but value.converter is"))
                .anyMatch(mistake -> mistake.startsWith("key.as: is bytes, but key.converter is"))
                .hasSize(2);

        configuration.putAll(Map.of("value.as", "string", "key.as", "string"));
        configuration.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        assertThat(mistakes(configuration))
                .singleElement()
                .asString()
                .startsWith("value.as: is string, but value.converter is");

        configuration.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        assertThat(mistakes(configuration)).isEmpty();
    }

    @Test
    void several_stores_need_as_many_tasks_although_none_are_asked_for() {
        Map<String, String> configuration = journal();
        configuration.putAll(Map.of("stores", "north,south", "stores.south.url", "jdbc:postgresql://south/orders"));
        configuration.remove("tasks.max");
        assertThat(mistakes(configuration)).singleElement().asString().startsWith("tasks.max: is 1, and there are 2");
    }

    @Test
    void a_misspelled_key_is_a_mistake_wherever_it_could_be_meant_for_waybill() {
        Map<String, String> configuration = journal();
        configuration.putAll(Map.of(
                "tasks.max", "2",
                "stores", "north,south",
                "stores.south.url", "jdbc:postgresql://south/orders",
                "stores.south.usr", "relay",
                "stores.soth.password", "s3cret",
                "lease", "5s",
                "poll.interval", "1s",
                "transaction.max.events", "5",
                "transaction.boundary.interval.ms", "5"));
        assertThat(mistakes(configuration))
                .anyMatch(mistake -> mistake.startsWith("stores.south.usr: is not known"))
                .anyMatch(mistake -> mistake.startsWith("stores.soth.password: is not known"))
                .anyMatch(mistake -> mistake.startsWith("lease: is not known"))
                .anyMatch(mistake -> mistake.startsWith("poll.interval: is not known"))
                .anyMatch(mistake -> mistake.startsWith("transaction.max.events: is not known"))
                .noneMatch(mistake -> mistake.contains("s3cret"))
                .hasSize(5);
    }

    @Test
    void a_table_without_an_order_is_refused() {
        Map<String, String> configuration = table();
        configuration.remove("store.layout.columns.sequence");
        assertThat(mistakes(configuration)).hasSize(1).first().asString().startsWith("store.layout: ");
    }

    @Test
    void no_password_is_shown() {
        Map<String, String> configuration = journal();
        configuration.put("store.password", "s3cret");
        configuration.put("store.url", "jdbc:postgresql://localhost:5432/orders?password=s3cret");
        Config found = connector.validate(configuration);
        assertThat(found.configValues())
                .flatExtracting(value -> List.of(
                        String.valueOf(value.value()), value.errorMessages().toString()))
                .filteredOn(text -> !text.startsWith("jdbc:"))
                .noneMatch(text -> text.contains("s3cret"));
        assertThat(mistakes(configuration)).anyMatch(mistake -> mistake.contains("contains a password"));
    }

    @Test
    void exactly_once_is_promised_for_journals_whose_transactions_the_connector_defines() {
        Map<String, String> boundary = journal();
        boundary.put("transaction.boundary", "connector");
        Map<String, String> mixed = journal();
        mixed.putAll(Map.of("stores", "a,b", "stores.b.type", "table", "transaction.boundary", "connector"));

        assertThat(connector.exactlyOnceSupport(boundary)).isEqualTo(ExactlyOnceSupport.SUPPORTED);
        assertThat(connector.exactlyOnceSupport(journal())).isEqualTo(ExactlyOnceSupport.UNSUPPORTED);
        assertThat(connector.exactlyOnceSupport(mixed)).isEqualTo(ExactlyOnceSupport.UNSUPPORTED);
        assertThat(connector.canDefineTransactionBoundaries(boundary))
                .isEqualTo(ConnectorTransactionBoundaries.SUPPORTED);
    }

    @Test
    void each_store_has_a_task_with_its_own_settings() {
        Map<String, String> configuration = journal();
        configuration.put("stores", "north, south");
        configuration.put("tasks.max", "3");
        configuration.put("stores.south.url", "jdbc:postgresql://south:5432/orders");
        configuration.put("store.user", "relay");
        assertThat(mistakes(configuration)).isEmpty();
        connector.start(configuration);

        List<Map<String, String>> tasks = connector.taskConfigs(3);

        assertThat(tasks).hasSize(2).allSatisfy(task -> assertThat(task).containsAllEntriesOf(configuration));
        assertThat(tasks)
                .extracting(task -> ConfiguredStores.ofTask(task).get("store.url"))
                .containsExactly("jdbc:postgresql://localhost:5432/orders", "jdbc:postgresql://south:5432/orders");
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> connector.taskConfigs(1))
                .withMessageContaining("tasks.max");
    }

    @Test
    void two_stores_with_one_address_are_a_mistake() {
        Map<String, String> configuration = journal();
        configuration.put("stores", "north,south");
        configuration.put("tasks.max", "2");
        assertThat(mistakes(configuration)).hasSize(1).first().asString().contains("the same url");
    }

    @Test
    void every_key_is_documented_and_words_are_recommended() {
        assertThat(connector.config().configKeys().values()).allSatisfy(key -> {
            assertThat(key.documentation).as(key.name).isNotBlank();
            assertThat(key.group).as(key.name).isNotBlank();
        });
        assertThat(connector.validate(journal()).configValues())
                .filteredOn(value -> value.name().equals("store.layout"))
                .singleElement()
                .satisfies(value -> assertThat(value.recommendedValues()).contains("debezium"));
    }

    @Test
    void a_worker_finds_the_connector_without_scanning() {
        assertThat(ServiceLoader.load(SourceConnector.class).stream().map(ServiceLoader.Provider::type))
                .contains(WaybillSourceConnector.class);
    }
}
