package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.spring.test.shop.OrderPlaced;
import dev.waybill.spring.test.shop.OrderService;
import dev.waybill.spring.test.shop.Shop;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

class WaybillTestTest {

    @Nested
    @WaybillTest
    @SpringBootTest(
            classes = Shop.class,
            properties = {"waybill.stores.main.schema=validate", "waybill.stores.billing.data-source=nowhere"})
    class InAnApplication {
        @Autowired
        private OrderService service;

        @Autowired
        private AppendedEvents appended;

        @Autowired
        private SpringOutbox outbox;

        @Autowired
        @Qualifier("billing") private SpringOutbox billing;

        @Autowired
        private TransactionTemplate transaction;

        @Autowired
        private ApplicationContext context;

        @Test
        void appended_events_are_seen_without_tables() {
            service.place(42);
            assertThat(appended)
                    .appended("order.placed")
                    .withKey("42")
                    .withAggregate("Order", "42")
                    .withPayloadContaining("\"customer\":\"Ada\"")
                    .times(1);
            assertThat(appended.in("main")).hasSize(1);
            assertThat(context.getBeanNamesForType(WaybillStores.class)).isEmpty();
        }

        @Test
        void each_test_begins_without_events() {
            assertThat(appended).isEmpty();
        }

        @Test
        void a_rollback_takes_events_back() {
            transaction.executeWithoutResult(status -> {
                outbox.append(new OrderPlaced(1, "Ada"));
                assertThat(appended).appended("order.placed.v1");
                status.setRollbackOnly();
            });
            assertThat(appended).isEmpty();
        }

        @Test
        void each_store_has_its_own_outbox() {
            transaction.executeWithoutResult(status -> billing.append(new OrderPlaced(1, "Ada")));
            assertThat(appended.in("billing")).hasSize(1);
            assertThat(appended.in("main")).isEmpty();
            WaybillAssertions.assertThat(billing).appended("order.placed").withKey("1");
            WaybillAssertions.assertThat(outbox).isEmpty();
        }

        @Test
        void without_a_transaction_it_is_refused_as_by_the_real_one() {
            assertThatThrownBy(() -> outbox.append(new OrderPlaced(1, "Ada")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("@Transactional");
        }

        @Test
        void known_ids_are_skipped_if_asked_for() {
            Event event =
                    Event.of("a").aggregate("A", "1").payload(Payload.json("1")).header("tenant", "acme");
            transaction.executeWithoutResult(status -> {
                assertThat(outbox.appendIfAbsent(event)).isEqualTo(1);
                assertThat(outbox.appendIfAbsent(event)).isZero();
            });
            assertThat(appended).appended("a").withHeader("tenant", "acme");
        }

        @Test
        void a_failed_assertion_says_what_was_appended() {
            service.place(42);
            assertThatThrownBy(
                            () -> assertThat(appended).appended("order.placed").withKey("43"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll("having key 43", "order.placed.v1 of Order 42");
        }
    }

    @Nested
    @WaybillTest
    @DataJpaTest
    @ContextConfiguration(classes = Shop.class)
    class InASliceOfJpa {
        @Autowired
        private ApplicationEventPublisher events;

        @Autowired
        private AppendedEvents appended;

        @Test
        void published_events_are_seen_in_the_transaction_of_the_test() {
            events.publishEvent(new OrderPlaced(7, "Ada"));
            assertThat(appended).appended("order.placed").withKey("7");
        }
    }

    @Nested
    @WaybillTest
    @JdbcTest
    @Import(OrderService.class)
    @ContextConfiguration(classes = Shop.class)
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    class InASliceOfJdbc {
        @Autowired
        private OrderService service;

        @Autowired
        private AppendedEvents appended;

        @Test
        void committed_events_are_seen() {
            service.place(8);
            assertThat(appended).appended("order.placed").withKey("8");
        }
    }
}
