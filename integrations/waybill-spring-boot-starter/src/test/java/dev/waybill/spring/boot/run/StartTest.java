package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Payload;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.spring.SpringInbox;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** What an application does when it starts. */
class StartTest {
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    private static void publish(ConfigurableApplicationContext application, String type) {
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> application
                        .getBean(SpringOutbox.class)
                        .append(Event.of(type).aggregate("Item", "1").payload(Payload.json("{}"))));
    }

    @Test
    void without_configuration_the_relay_main_publishes_to_the_only_broker() {
        String type = Servers.unique("sold");
        try (ConfigurableApplicationContext application = Servers.start(
                Shop.class, "waybill.relays.main.destination=", "spring.autoconfigure.exclude=" + Servers.KAFKA_ONLY)) {
            RunningRelays relays = application.getBean(RunningRelays.class);
            assertThat(relays.statuses())
                    .singleElement()
                    .matches(relay -> relay.name().equals("main")
                            && relay.destination().equals("kafka")
                            && relay.store().name().equals("main"));
            publish(application, type);
            ConsumerRecord<byte[], byte[]> message = Servers.message(type, "");
            assertThat(new String(message.headers().lastHeader("event-type").value(), StandardCharsets.UTF_8))
                    .isEqualTo(type);
        }
    }

    private static InvalidSetupException failureOf(ThrowingCallable starting) {
        try {
            starting.call();
        } catch (Throwable e) {
            assertThat(NestedExceptionUtils.getMostSpecificCause(e)).isInstanceOf(InvalidSetupException.class);
            return (InvalidSetupException) NestedExceptionUtils.getMostSpecificCause(e);
        }
        throw new AssertionError("It started.");
    }

    @Test
    void relays_that_do_not_start_with_the_application_can_be_started_later() {
        String type = Servers.unique("sold");
        try (ConfigurableApplicationContext application =
                Servers.start(Shop.class, "waybill.auto-startup=false", "spring.main.lazy-initialization=false")) {
            RunningRelays relays = application.getBean(RunningRelays.class);
            assertThat(relays.isRunning()).isFalse();
            assertThat(relays.problems(Duration.ZERO)).isEmpty();
            publish(application, type);
            relays.start();
            assertThat(Servers.message(type, "")).isNotNull();
        }
    }

    @Test
    void a_broker_and_a_database_that_are_unavailable_stop_nobody_else() {
        String type = Servers.unique("sold");
        try (ConfigurableApplicationContext application = Servers.start(
                Shop.class,
                "waybill.stores.away.url=jdbc:postgresql://127.0.0.1:1/nowhere",
                "waybill.stores.away.schema=none",
                "waybill.stores.away.layout=orders",
                "waybill.destinations.away.type=kafka",
                "waybill.destinations.away.delivery-timeout=1s",
                "waybill.destinations.away.properties[bootstrap.servers]=127.0.0.1:1",
                "waybill.relays.main.store=main",
                "waybill.relays.no-database.store=away",
                "waybill.relays.no-database.destination=kafka",
                "waybill.relays.no-broker.store=main",
                "waybill.relays.no-broker.destination=away")) {
            publish(application, type);
            assertThat(Servers.message(type, "")).isNotNull();
            RunningRelays relays = application.getBean(RunningRelays.class);
            Await.until(
                    () -> "both fail: " + relays.problems(Duration.ofMillis(1)),
                    () -> relays.problems(Duration.ofMillis(1)).keySet().equals(Set.of("no-broker", "no-database")));
            assertThat(relays.problems(Duration.ofHours(1))).isEmpty();
            assertThat(relays.statuses()).allMatch(RunningRelays.Status::alive);
        }
    }

    @Test
    void a_missing_inbox_of_a_consumer_fails_the_start_with_the_remedy() throws Exception {
        String url = Servers.database();
        try (Connection connection = DriverManager.getConnection(url)) {
            JournalSchema.create(connection);
        }
        String[] properties = {"spring.datasource.url=" + url, "waybill.stores.main.schema=validate"};
        // without a consumer, nothing is missing
        Servers.start(Shop.class, properties).close();
        assertThat(failureOf(() -> Servers.start(
                        Stock.class, properties[0], properties[1], "waybill.consumers.stock.destination=kafka")))
                .hasMessageContainingAll(
                        "1 error",
                        "waybill.consumers.stock: the inbox of store main: waybill_inbox cannot be read",
                        "extends WaybillMigration",
                        "dev/waybill/spring/liquibase/waybill.yaml",
                        "waybill.stores.main.schema=create");
    }

    @Test
    void the_inbox_is_created_over_a_pool_without_autocommit_too() {
        try (ConfigurableApplicationContext application = Servers.start(
                Stock.class,
                "spring.datasource.hikari.auto-commit=false",
                "waybill.auto-startup=false",
                "waybill.consumers.stock.destination=kafka")) {
            Outcome outcome = application.getBean(SpringInbox.class).handleOnce("a", "event-1", () -> {});
            assertThat(outcome).isEqualTo(Outcome.HANDLED);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class FailsLate {
        @Bean
        SmartLifecycle fails() {
            return new SmartLifecycle() {
                @Override
                public void start() {
                    throw new IllegalStateException("the last bean fails");
                }

                @Override
                public void stop() {}

                @Override
                public boolean isRunning() {
                    return false;
                }
            };
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("waybill") || name.contains("kafka-producer"))
                .collect(Collectors.toSet());
    }

    @Test
    void an_application_that_fails_after_its_relays_started_leaves_no_threads() {
        Set<String> before = threads();
        assertThatThrownBy(() -> Servers.start(FailsLate.class)).hasStackTraceContaining("the last bean fails");
        Await.until(() -> "threads " + threads(), () -> before.containsAll(threads()));
    }

    /** Spring Boot cannot tell the addresses behind its data source. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Routed {
        @Bean
        DataSource dataSource(Environment environment) {
            DataSource only = DataSourceBuilder.create()
                    .url(environment.getRequiredProperty("spring.datasource.url"))
                    .build();
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "only";
                }
            };
            routing.setTargetDataSources(Map.of("only", only));
            return routing;
        }
    }

    @Test
    void an_application_whose_relay_cannot_start_takes_events_and_its_meters_say_that_the_relay_fails() {
        try (ConfigurableApplicationContext application = Servers.start(Routed.class)) {
            publish(application, "sold");
            assertThat(application.getBean(RunningRelays.class).problems(Duration.ofHours(1)))
                    .containsEntry("main", "does not run");
            Gauge failing = application
                    .getBean(MeterRegistry.class)
                    .get("waybill.relay.failing")
                    .tag("relay", "main")
                    .gauge();
            assertThat(failing.value()).isPositive();
        }
    }
}
