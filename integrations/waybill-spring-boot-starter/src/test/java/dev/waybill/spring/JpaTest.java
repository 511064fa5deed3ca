package dev.waybill.spring;

import static dev.waybill.spring.shop.Shop.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spring.shop.PurchaseOrder;
import dev.waybill.spring.shop.PurchaseOrders;
import dev.waybill.spring.shop.Shipment;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.OptimisticLockException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;

@OnPostgres
class JpaTest {
    @Autowired
    private SpringOutbox outbox;

    @Autowired
    private PurchaseOrders orders;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private EntityManager entities;

    @Autowired
    private EntityManagerFactory factory;

    private Journal journal;

    @BeforeEach
    void empty() {
        journal = new Journal(jdbc);
        journal.empty();
        orders.save(new PurchaseOrder(1));
    }

    @Test
    void the_entity_is_written_before_its_event_in_one_transaction() {
        transaction.executeWithoutResult(status -> {
            orders.findById(1L).orElseThrow().change("paid");
            outbox.append(event("1"));
            // The row has been written: this statement does not make Hibernate flush.
            assertThat(jdbc.sql("select state from purchase_order")
                            .query(String.class)
                            .single())
                    .isEqualTo("paid");
            assertThat(jdbc.sql("""
                            select (o.xmin = e.xmin)::text || ' ' || (o.cmin::text::int < e.cmin::text::int)::text
                              from purchase_order o, waybill.event e""").query(String.class).single())
                    .describedAs("same transaction, and the update came first")
                    .isEqualTo("true true");
        });
        assertThat(journal.ids()).containsExactly("1");
    }

    @Test
    void a_failed_optimistic_lock_reaches_the_caller_as_it_is() {
        TransactionTemplate another = new TransactionTemplate(transaction.getTransactionManager());
        another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    orders.findById(1L).orElseThrow().change("paid");
                    another.executeWithoutResult(
                            inner -> orders.findById(1L).orElseThrow().change("cancelled"));
                    outbox.append(event("1"));
                }))
                .isInstanceOf(OptimisticLockException.class);
        assertThat(journal.ids()).isEmpty();
        assertThat(orders.findById(1L).orElseThrow().getState()).isEqualTo("cancelled");
    }

    @Test
    void a_callback_of_an_entity_appends_while_a_flush_writes_it_and_is_refused_in_the_commit() {
        Shipment.whenInserted = () -> outbox.append(event("1"));
        try {
            transaction.executeWithoutResult(status -> {
                entities.persist(new Shipment(1));
                entities.flush();
            });
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> entities.persist(new Shipment(2))))
                    .hasMessageContaining("can append only if the method flushes");
        } finally {
            Shipment.whenInserted = () -> {};
        }
        assertThat(journal.ids()).containsExactly("1");
        assertThat(jdbc.sql("select id from shipment where id < 10")
                        .query(Long.class)
                        .list())
                .containsExactly(1L);
    }

    @Test
    void a_callback_of_an_entity_appends_in_a_request_that_keeps_the_entities_open_in_the_view() {
        OpenEntityManagerInViewInterceptor view = new OpenEntityManagerInViewInterceptor();
        view.setEntityManagerFactory(factory);
        WebRequest request = new ServletWebRequest(new MockHttpServletRequest());
        Shipment.whenInserted = () -> outbox.append(event("1"));
        view.preHandle(request);
        try {
            transaction.executeWithoutResult(status -> {
                entities.persist(new Shipment(11));
                entities.persist(new Shipment(12));
                entities.flush();
            });
        } finally {
            view.afterCompletion(request, null);
            Shipment.whenInserted = () -> {};
        }
        assertThat(journal.ids()).containsExactly("1", "1");
        assertThat(jdbc.sql("select id from shipment where id > 10 order by id")
                        .query(Long.class)
                        .list())
                .containsExactly(11L, 12L);
    }
}
