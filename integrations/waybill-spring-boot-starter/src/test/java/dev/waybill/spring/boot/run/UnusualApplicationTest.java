package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * An application whose settings and beans are valid and not the usual ones: a pool without autocommit whose connections are fetched
 * lazily, listeners of its own that start with the newest message, several JSON mappers, beans that are created when they are needed,
 * and handlers that inherit their methods.
 */
class UnusualApplicationTest {
    private static final String PAID = Servers.unique("paid");

    private static ConfigurableApplicationContext application;

    /** An event. */
    public record Paid(String item) {}

    /** Handles events of a type that its subclasses know. */
    abstract static class Handling<T> {
        final List<T> handled = new CopyOnWriteArrayList<>();

        @HandlesOnce(consumer = "stock", type = "paid")
        public void on(T event) {
            handled.add(event);
        }
    }

    static class HandlingPaid extends Handling<Paid> {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Unusual {
        @Bean
        HandlingPaid handlers() {
            return new HandlingPaid();
        }

        @Bean
        JsonMapper one() {
            return JsonMapper.builder().build();
        }

        @Bean
        JsonMapper other() {
            return JsonMapper.builder().build();
        }
    }

    @BeforeAll
    static void start() {
        application = Servers.start(
                Unusual.class,
                "spring.main.lazy-initialization=true",
                "spring.datasource.hikari.auto-commit=false",
                "spring.datasource.connection-fetch=lazy",
                "spring.kafka.consumer.auto-offset-reset=latest",
                "spring.kafka.producer.properties.partitioner.class="
                        + "org.apache.kafka.clients.producer.RoundRobinPartitioner",
                "spring.autoconfigure.exclude=" + Servers.KAFKA_ONLY,
                "waybill.auto-startup=false",
                "waybill.relays.main.route.template={type}-" + PAID,
                "waybill.consumers.stock.topics=paid-" + PAID);
        application.getBean(RunningRelays.class).start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static void append(String type, String payload) {
        SpringOutbox outbox = application.getBean(SpringOutbox.class);
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(status ->
                        outbox.append(Event.of(type).aggregate("Item", "1").payload(Payload.json(payload))));
    }

    @Test
    void events_from_before_the_first_start_of_a_consumer_reach_an_inherited_handler() {
        append("paid", "{\"item\": \"apple\"}");
        assertThat(Servers.message("paid-" + PAID, "apple")).isNotNull();
        application.getBean(RunningConsumers.class).start();
        Handling<Paid> handlers = application.getBean(HandlingPaid.class);
        Await.until(() -> "handled: " + handlers.handled, () -> handlers.handled.equals(List.of(new Paid("apple"))));
    }
}
