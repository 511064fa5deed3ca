package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.shop.PurchaseOrder;
import dev.waybill.spring.shop.PurchaseOrders;
import dev.waybill.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** A handler that writes with JPA, in an application whose pool has a single connection. */
class JpaHandlerTest {
    private static final String TYPE = Servers.unique("order.received");
    private static final String INBOX = "select count(*) from waybill_inbox";
    private static final String ORDERS = "select count(*) from purchase_order";

    private static ConfigurableApplicationContext application;
    private static JdbcClient jdbc;
    private static Orders orders;

    record Received(long id) {}

    /** Saves an order for each event. */
    static class Orders {
        private final PurchaseOrders repository;
        volatile Consumer<Received> afterFlush = received -> {};

        Orders(PurchaseOrders repository) {
            this.repository = repository;
        }

        @HandlesOnce(consumer = "orders", type = "received")
        void on(Received received) {
            repository.saveAndFlush(new PurchaseOrder(received.id()));
            afterFlush.accept(received);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = PurchaseOrder.class)
    @EnableJpaRepositories(basePackageClasses = PurchaseOrders.class)
    static class Application {
        @Bean
        Orders orders(PurchaseOrders repository) {
            return new Orders(repository);
        }
    }

    @BeforeAll
    static void start() {
        application = Servers.start(
                Application.class,
                "spring.jpa.hibernate.ddl-auto=create",
                "spring.datasource.hikari.maximum-pool-size=1",
                "spring.datasource.hikari.connection-timeout=2000",
                "waybill.relays.main.route.topic=" + TYPE,
                "waybill.consumers.orders.destination=kafka",
                "waybill.consumers.orders.topics=" + TYPE,
                "waybill.consumers.orders.retry.first=1ms");
        jdbc = application.getBean(JdbcClient.class);
        orders = application.getBean(Orders.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static void receive(long id) {
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> application
                        .getBean(SpringOutbox.class)
                        .append(Event.of("received")
                                .aggregate("Order", Long.toString(id))
                                .payload(Payload.jsonOf(new Received(id)))));
    }

    private static int count(String statement) {
        return jdbc.sql(statement).query(Integer.class).single();
    }

    private static int ofThisTransaction(String count) {
        return count(count + " where xmin::text = pg_current_xact_id()::text");
    }

    @Test
    void the_entity_and_the_record_in_the_inbox_are_of_one_transaction_on_one_connection() {
        List<String> seen = new CopyOnWriteArrayList<>();
        orders.afterFlush = received -> seen.add(ofThisTransaction(ORDERS) + " " + ofThisTransaction(INBOX));
        int before = count(ORDERS);
        receive(1);
        Await.until("the order is saved", () -> count(ORDERS) == before + 1);
        assertThat(seen).containsExactly("1 1");
    }

    @Test
    void a_handler_that_fails_after_a_flush_leaves_neither_and_its_retry_has_one_effect() {
        int ordersBefore = count(ORDERS);
        int inboxBefore = count(INBOX);
        List<String> seen = new CopyOnWriteArrayList<>();
        orders.afterFlush = received -> {
            // its own order and record are there, and nothing of an attempt before
            seen.add((count(ORDERS) - ordersBefore) + " " + (count(INBOX) - inboxBefore));
            if (seen.size() < 3) {
                throw new IllegalStateException("attempt " + seen.size());
            }
        };
        receive(2);
        Await.until("the order is saved", () -> count(ORDERS) > ordersBefore);
        assertThat(seen).containsExactly("1 1", "1 1", "1 1");
        assertThat(count(ORDERS)).isEqualTo(ordersBefore + 1);
        assertThat(count(INBOX)).isEqualTo(inboxBefore + 1);
    }
}
