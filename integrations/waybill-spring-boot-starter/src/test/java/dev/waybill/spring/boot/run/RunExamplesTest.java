package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Payload;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringInbox;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The examples of docs/spring-boot.md about consumers; topics and destinations are the defaults. */
class RunExamplesTest {
    record Reserved(String item, int count) {}

    static class Reservations {
        private final JdbcClient jdbc;

        Reservations(JdbcClient jdbc) {
            this.jdbc = jdbc;
            jdbc.sql("create table reserved (item text, count int)").update();
        }

        // snippet: spring-handler
        @HandlesOnce(consumer = "stock", type = "item.reserved.v1")
        void on(Reserved event) {
            jdbc.sql("insert into reserved (item, count) values (?, ?)")
                    .params(event.item(), event.count())
                    .update();
        }
        // end

        int count() {
            return jdbc.sql("select coalesce(sum(count), 0) from reserved")
                    .query(Integer.class)
                    .single();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Warehouse {
        @Bean
        Reservations reservations(JdbcClient jdbc) {
            return new Reservations(jdbc);
        }
    }

    @Test
    void the_examples_work_with_all_defaults() {
        try (ConfigurableApplicationContext application = Servers.start(
                Warehouse.class,
                "waybill.relays.main.destination=",
                "spring.autoconfigure.exclude=" + Servers.KAFKA_ONLY)) {
            application
                    .getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> application
                            .getBean(SpringOutbox.class)
                            .append(Event.of("item.reserved.v1")
                                    .aggregate("Item", "apple")
                                    .payload(Payload.jsonOf(new Reserved("apple", 2)))));
            Reservations reservations = application.getBean(Reservations.class);
            Await.until("it is reserved", () -> reservations.count() == 2);
            inbox(application.getBean(SpringInbox.class));
        }
    }

    private static void inbox(SpringInbox inbox) {
        List<String> invoices = new ArrayList<>();
        String eventId = "event-1";
        String order = "order-1";
        // snippet: spring-inbox
        Outcome outcome = inbox.handleOnce("invoices", eventId, () -> invoices.add(order));
        // end
        assertThat(outcome).isEqualTo(Outcome.HANDLED);
        assertThat(invoices).containsExactly(order);
    }
}
