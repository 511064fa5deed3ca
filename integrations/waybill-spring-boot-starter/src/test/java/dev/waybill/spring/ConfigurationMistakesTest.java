package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.boot.properties.WaybillProperties;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ConfigurationMistakesTest {
    private final ApplicationContextRunner runner = Runner.onH2("mistakes");

    private String descriptionOf(ApplicationContextRunner configured) {
        String[] description = new String[1];
        configured.run(context -> {
            assertThat(context).hasFailed();
            description[0] = Runner.analysis(context.getStartupFailure()).getDescription();
        });
        return description[0];
    }

    @Test
    void all_mistakes_are_reported_at_once() {
        String description = descriptionOf(runner.withPropertyValues(
                "waybill.stores.main.schema=creat",
                "waybill.stores.main.lokc-keys=true",
                "waybill.stores.billing.data-source=nowhere",
                "waybill.stores.audit.type=table",
                "waybill.stores.audit.wait-for=flush",
                "waybill.destinations.kafka.type=kafka",
                "waybill.destinations.kafka.uri=amqp://secret@host",
                "waybill.relays.orders.destination=kafka",
                "waybill.relays.orders.batch=many",
                "waybill.consumers.stock.grace=soon",
                "waybill.relay.orders.store=main"));
        assertThat(description.lines().map(String::strip))
                .contains(
                        "waybill.stores.main.schema: use one of validate, create, none",
                        "waybill.stores.main.lokc-keys: there is no such key; did you mean lock-keys?",
                        "waybill.stores.billing.data-source: there is no DataSource bean named \"nowhere\": use one of [dataSource]",
                        "waybill.stores.audit.wait-for: does not apply to type table",
                        "waybill.destinations.kafka.uri: does not apply to type kafka",
                        "waybill.relays.orders.batch: use a whole number",
                        "waybill.consumers.stock.grace: use a duration, such as 50ms, 5s, 10m, 12h or 30d",
                        "waybill.relay.orders.store: there is no such key")
                .noneMatch(line -> line.contains("secret") || line.contains("many"))
                .hasSize(2 + 8);
    }

    @Test
    void an_environment_variable_sets_a_key_and_makes_no_second_relay() {
        variable("WAYBILL_RELAYS_ORDERSTOKAFKA_BATCH", "500")
                .withPropertyValues(
                        "waybill.stores.main.schema=create",
                        "waybill.destinations.kafka.type=kafka",
                        "waybill.relays.orders-to-kafka.store=main",
                        "waybill.relays.orders-to-kafka.destination=kafka")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    WaybillProperties properties = context.getBean(WaybillProperties.class);
                    assertThat(properties.relays()).containsOnlyKeys("orders-to-kafka");
                    assertThat(properties.relays().get("orders-to-kafka").batch())
                            .isEqualTo(500);
                });
    }

    @Test
    void an_environment_variable_makes_no_second_relay_of_one_whose_name_has_underscores() {
        variable("WAYBILL_RELAYS_ORDERSTOKAFKA_BATCH", "500")
                .withPropertyValues(
                        "waybill.stores.main.schema=create",
                        "waybill.destinations.kafka.type=kafka",
                        "waybill.relays.orders_to_kafka.store=main",
                        "waybill.relays.orders_to_kafka.destination=kafka")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(WaybillProperties.class).relays())
                            .containsOnlyKeys("orders_to_kafka")
                            .allSatisfy(
                                    (name, relay) -> assertThat(relay.batch()).isEqualTo(500));
                });
    }

    @Test
    void two_spellings_of_one_name_are_reported() {
        String description = descriptionOf(variable("WAYBILL_RELAYS_ORDERSTOKAFKA_BATCH", "500")
                .withPropertyValues(
                        "waybill.stores.main.schema=create",
                        "waybill.destinations.kafka.type=kafka",
                        "waybill.relays.orders-to-kafka.store=main",
                        "waybill.relays.orders_to_kafka.destination=kafka"));
        assertThat(description.lines().map(String::strip))
                .contains(
                        "waybill.relays: [orders-to-kafka, orders_to_kafka] are one name to Spring, so that each would"
                                + " have the keys of all: write the name in the same way everywhere")
                .hasSize(2 + 1);
    }

    @Test
    void an_address_for_relays_that_no_driver_knows_is_reported_without_it() {
        runner.withPropertyValues("waybill.stores.main.url=jdbc:postgress://host/shop?password=CANARY")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(Runner.analysis(context.getStartupFailure()).getDescription())
                            .contains("waybill.stores.main.url: no JDBC driver")
                            .doesNotContain("CANARY");
                });
    }

    private ApplicationContextRunner variable(String name, String value) {
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
    }

    @Test
    void missing_tables_are_reported_with_the_remedies() {
        runner.run(context -> {
            assertThat(context).hasFailed();
            var analysis = Runner.analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("store main");
            assertThat(analysis.getAction()).contains("WaybillMigration", "waybill.stores.main.schema=create");
        });
    }

    @Test
    void keys_are_written_as_spring_boot_allows() {
        runner.withPropertyValues(
                        "waybill.stores.main.schema=create",
                        "waybill.stores.main.maxPayloadBytes=500",
                        "waybill.stores.main.layout=waybill",
                        "waybill.stores.main.retention=30d",
                        "waybill.destinations.kafka.type=kafka",
                        "waybill.destinations.kafka.properties[bootstrap.servers]=localhost:1",
                        "waybill.relays.main.store=main",
                        "waybill.relays.main.destination=kafka",
                        "waybill.relays.main.retry.retries=unlimited",
                        "waybill.relays.main.format=debezium-with-type")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    WaybillProperties properties = context.getBean(WaybillProperties.class);
                    assertThat(properties.stores().get("main").maxPayloadBytes())
                            .isEqualTo(500);
                    assertThat(properties.stores().get("main").layout().preset())
                            .isEqualTo("waybill");
                    assertThat(properties.relays().get("main").retry().retries())
                            .hasToString("unlimited");
                    assertThat(properties.destinations().get("kafka").properties())
                            .containsEntry("bootstrap.servers", "localhost:1");
                });
    }

    @Test
    void a_layout_may_be_written_in_parts() {
        runner.withPropertyValues(
                        "waybill.stores.main.schema=none",
                        "waybill.stores.main.layout.preset=orders",
                        "waybill.stores.main.layout.table=my_outbox",
                        "waybill.stores.main.layout.columns.aggregate-id=order_id")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
