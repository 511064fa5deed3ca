package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.registry.EventDefinition;
import dev.waybill.registry.EventRegistry;
import dev.waybill.registry.PayloadCheck;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a registry of its own, and a table of its own for the inbox. */
class ApplicationBeansTest {
    private static ConfigurableApplicationContext application;
    private static SpringOutbox outbox;
    private static TransactionTemplate transaction;
    private static JdbcClient jdbc;

    @Configuration(proxyBeanMethods = false)
    @Import(Stock.class)
    static class Beans {
        @Bean
        InboxLayout processedEvents() {
            return InboxLayout.processedEvents("stock");
        }

        @Bean
        EventRegistry contract() {
            return EventRegistry.of(
                    new EventDefinition(Stock.SOLD, "anywhere", "Item", PayloadCheck.javaType(Stock.Sold.class)));
        }
    }

    @BeforeAll
    static void start() {
        String topic = Servers.unique("beans");
        application = Servers.start(
                Beans.class,
                "waybill.relays.main.route.topic=" + topic,
                "waybill.consumers.stock.destination=kafka",
                "waybill.consumers.stock.topics=" + topic);
        outbox = application.getBean(SpringOutbox.class);
        transaction = application.getBean(TransactionTemplate.class);
        jdbc = application.getBean(JdbcClient.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static long count(String table) {
        return jdbc.sql("select count(*) from " + table).query(Long.class).single();
    }

    @Test
    void the_layout_of_the_application_is_that_of_its_inbox() {
        transaction.executeWithoutResult(status -> Stock.sell(outbox, "apple", 3));
        Stock.Handlers handlers = application.getBean(Stock.Handlers.class);
        Await.until("the effect", () -> handlers.taken("apple") == 3);
        assertThat(count("processed_events where event_type = '" + Stock.SOLD + "'"))
                .isEqualTo(1);
        assertThat(count("pg_tables where tablename = 'waybill_inbox'")).isZero();
    }

    @Test
    void an_event_that_does_not_match_the_registry_of_the_application_is_refused_before_it_is_written() {
        Event unknown = Event.of("item.lost.v1").aggregate("Item", "pear").payload(Payload.json("{}"));
        Event wrong = Event.of(Stock.SOLD).aggregate("Item", "pear").payload(Payload.json("{\"item\": 5}"));
        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> outbox.append(unknown))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContaining("not in the registry");
            assertThatThrownBy(() -> outbox.append(wrong)).isInstanceOf(InvalidEventException.class);
        });
        assertThat(count("waybill.event where aggregate_id = 'pear'")).isZero();
    }
}
