package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Runs the examples of the pages about Spring. */
@SuppressWarnings("ClassCanBeStatic") // the pages show top-level classes
class SpringExamplesTest {
    private static final UUID ID = UUID.fromString("018f3b1e-0000-7000-8000-000000000042");

    // snippet: spring-domain-event
    @AppendedAs(type = "order.placed.v1", aggregate = "Order")
    record OrderPlaced(@AggregateId UUID orderId, BigDecimal total) {}
    // end

    record Order(UUID id, BigDecimal total) {}

    // snippet: spring-service
    @Service
    class OrderService {
        private final JdbcClient jdbc;
        private final SpringOutbox outbox;

        OrderService(JdbcClient jdbc, SpringOutbox outbox) {
            this.jdbc = jdbc;
            this.outbox = outbox;
        }

        @Transactional
        void place(Order order) {
            jdbc.sql("insert into orders values (?, ?)")
                    .params(order.id(), order.total())
                    .update();
            outbox.append(new OrderPlaced(order.id(), order.total()));
        }
    }
    // end

    @Test
    void a_service_appends_a_domain_event() {
        run(Examples.class, context -> {
            context.getBean(Examples.Orders.class).place(new Order(ID, BigDecimal.TEN));
            assertThat(types(context)).containsExactly("order.placed.v1");
        });
    }

    @Test
    void an_event_is_written_by_hand() {
        run(Examples.class, context -> {
            context.getBean(Examples.Orders.class).byHand(new Order(ID, BigDecimal.TEN));
            assertThat(types(context)).containsExactly("order.placed.v1");
        });
    }

    @Test
    void a_published_event_is_appended() {
        run(Examples.class, context -> {
            context.getBean(Examples.Orders.class).publish(new Order(ID, BigDecimal.TEN));
            assertThat(types(context)).containsExactly("order.placed.v1");
        });
    }

    @Test
    void a_mapping_and_a_customizer_are_beans() {
        run(Examples.class, context -> {
            context.getBean(Examples.Orders.class).append(new Examples.InvoiceSent("R-7"));
            assertThat(types(context)).containsExactly("invoice.sent.v1");
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForObject("select headers ->> 'tenant' from waybill.event", String.class))
                    .isEqualTo("acme");
        });
    }

    @Test
    void two_databases_have_two_outboxes() {
        Runner.bare()
                .withUserConfiguration(TwoStores.class)
                .withPropertyValues(
                        "waybill.stores.main.data-source=orderDataSource",
                        "waybill.stores.main.schema=create",
                        "waybill.stores.billing.data-source=billingDataSource",
                        "waybill.stores.billing.schema=create")
                .run(context -> {
                    context.getBean(TwoStores.Billing.class).send("R-8");
                    assertThat(new JdbcTemplate(context.getBean("billingDataSource", DataSource.class))
                                    .queryForObject("select count(*) from waybill.event", Integer.class))
                            .isEqualTo(1);
                });
    }

    private interface Example {
        void run(ApplicationContext context);
    }

    private static void run(Class<?> configuration, Example example) {
        ApplicationContextRunner runner = Runner.withJournal().withUserConfiguration(configuration);
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(JdbcTemplate.class).execute("create table orders (id uuid primary key, total numeric)");
            example.run(context);
        });
    }

    private static List<String> types(ApplicationContext context) {
        return context.getBean(JdbcTemplate.class).queryForList("select type from waybill.event", String.class);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Examples.Orders.class)
    static class Examples {
        record InvoiceSent(String number) {}

        static class Orders {
            private final SpringOutbox outbox;
            private final ApplicationEventPublisher events;
            private final OrderService service;

            Orders(SpringOutbox outbox, ApplicationEventPublisher events, JdbcClient jdbc) {
                this.outbox = outbox;
                this.events = events;
                this.service = new SpringExamplesTest().new OrderService(jdbc, outbox);
            }

            @Transactional
            public void place(Order order) {
                service.place(order);
            }

            @Transactional
            public void append(Object event) {
                outbox.append(event);
            }

            @Transactional
            public void byHand(Order order) {
                // snippet: spring-event
                outbox.append(Event.of("order.placed.v1")
                        .aggregate("Order", order.id().toString())
                        .payload(Payload.jsonOf(order))
                        .header("tenant", "acme"));
                // end
            }

            @Transactional
            public void publish(Order order) {
                // snippet: spring-publish
                events.publishEvent(new OrderPlaced(order.id(), order.total()));
                // end
            }
        }

        // snippet: spring-mapping
        @Bean
        EventMapping<InvoiceSent> invoiceSent() {
            return EventMapping.of(
                    InvoiceSent.class,
                    (invoice, json) -> Event.of("invoice.sent.v1")
                            .aggregate("Invoice", invoice.number())
                            .payload(json.payload(invoice)));
        }
        // end

        // snippet: spring-customizer
        @Bean
        EventCustomizer tenant() {
            return event -> event.header("tenant", "acme");
        }
        // end
    }

    // snippet: spring-migration
    public static class V7__waybill extends WaybillMigration {}
    // end

    @Configuration(proxyBeanMethods = false)
    @Import({StoresTest.TwoDatabases.class, TwoStores.Billing.class})
    static class TwoStores {
        // snippet: spring-billing
        @Service
        static class Billing {
            private final SpringOutbox outbox;

            Billing(@Qualifier("billing") SpringOutbox outbox) {
                this.outbox = outbox;
            }

            @Transactional("billingManager")
            public void send(String number) {
                outbox.append(
                        Event.of("invoice.sent.v1").aggregate("Invoice", number).payload(Payload.json("{}")));
            }
        }
        // end
    }
}
