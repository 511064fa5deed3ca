package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.spring.shop.Invoiced;
import dev.waybill.spring.shop.OrderPlaced;
import dev.waybill.spring.shop.OrderService;
import dev.waybill.spring.shop.PurchaseOrder;
import dev.waybill.spring.shop.PurchaseOrders;
import dev.waybill.spring.shop.Shop;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@OnPostgres
class DomainEventsTest {
    @Autowired
    private SpringOutbox outbox;

    @Autowired
    private OrderService service;

    @Autowired
    private PurchaseOrders orders;

    @Autowired
    private ApplicationEventPublisher events;

    @Autowired
    private TransactionTemplate transaction;

    private Journal journal;

    @Autowired
    void journal(JdbcClient jdbc) {
        journal = new Journal(jdbc);
    }

    @BeforeEach
    void empty() {
        journal.empty();
    }

    @Test
    void an_annotated_object_is_appended_as_it_says() {
        service.append(new OrderPlaced(42L, "Ada", Optional.of(Instant.parse("2026-11-17T08:00:00Z"))));
        assertThat(journal.column("type || ' ' || aggregate_type || ' ' || aggregate_id || ' ' || version"))
                .containsExactly("order.placed.v1 Order 42 1");
        assertThat(journal.column("payload"))
                .containsExactly("{\"orderId\":42,\"customer\":\"Ada\",\"due\":\"2026-11-17T08:00:00Z\"}");
    }

    @Test
    void a_registered_mapping_is_applied() {
        service.append(new Invoiced("R-7"));
        assertThat(journal.column("type || ' ' || aggregate_id || ' ' || payload"))
                .containsExactly("invoice.sent.v1 R-7 {\"number\":\"R-7\"}");
    }

    @Test
    void events_and_objects_are_appended_in_order() {
        service.append(new OrderPlaced(1, "Ada"), Shop.event("2"), new Invoiced("3"));
        transaction.executeWithoutResult(
                status -> outbox.appendAll(List.of(Shop.event("4"), new OrderPlaced(5, "Bob"))));
        assertThat(journal.ids()).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void an_object_without_a_mapping_is_refused_and_the_transaction_can_go_on() {
        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> outbox.append("text"))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContainingAll("java.lang.String", "@AppendedAs", "EventMapping");
            assertThatThrownBy(() -> outbox.append((Object) List.of(new Invoiced("1"))))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContaining("appendAll");
            outbox.append(new Invoiced("2"));
        });
        assertThat(journal.ids()).containsExactly("2");
    }

    @Test
    void an_object_that_cannot_be_mapped_is_refused_before_anything_is_written() {
        assertThatThrownBy(() -> service.append(new Invoiced("1"), new OrderPlaced(null, "Ada", Optional.empty())))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll("OrderPlaced", "@AggregateId is null");
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void a_published_event_with_a_mapping_is_appended() {
        service.publish(new OrderPlaced(1, "Ada"));
        service.publish(new Invoiced("2"));
        service.publish("not for the outbox");
        assertThat(journal.ids()).containsExactly("1", "2");
    }

    @Test
    void an_event_published_without_a_transaction_fails_at_the_publisher() {
        assertThatThrownBy(() -> events.publishEvent(new OrderPlaced(1, "Ada")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void an_event_published_before_the_commit_is_stored() {
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        events.publishEvent(new OrderPlaced(1, "Ada"));
                    }
                }));
        assertThat(journal.ids()).containsExactly("1");
    }

    @Test
    void the_events_of_an_aggregate_are_appended_when_it_is_saved() {
        orders.save(new PurchaseOrder(7).place("Ada"));
        assertThat(journal.ids()).containsExactly("7");
        assertThat(orders.findById(7L)).isPresent();
    }

    @Test
    void a_rollback_of_the_aggregate_leaves_no_event() {
        transaction.executeWithoutResult(status -> {
            orders.save(new PurchaseOrder(8).place("Ada"));
            status.setRollbackOnly();
        });
        assertThat(journal.ids()).isEmpty();
        assertThat(orders.findById(8L)).isEmpty();
    }
}
