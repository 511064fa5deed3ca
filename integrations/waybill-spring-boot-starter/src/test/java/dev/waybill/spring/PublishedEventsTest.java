package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.InvalidEventException;
import dev.waybill.spring.shop.OrderPlaced;
import dev.waybill.spring.shop.OrderService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is published and marked is appended, or refused: never left out in silence. */
@OnPostgres
class PublishedEventsTest {
    @Autowired
    private OrderService service;

    private Journal journal;

    @Autowired
    void journal(JdbcClient jdbc) {
        journal = new Journal(jdbc);
    }

    @BeforeEach
    void empty() {
        journal.empty();
    }

    /** A marked class in the style of older applications. */
    @AppendedAs(type = "order.sent.v1", aggregate = "Order")
    static class OrderSent extends ApplicationEvent {
        private static final long serialVersionUID = 1L;

        @AggregateId
        public final long id;

        OrderSent(String source, long id) {
            super(source);
            this.id = id;
        }
    }

    @Test
    void a_marked_class_that_is_an_application_event_is_appended() {
        service.publish(new OrderSent("shop", 7));
        assertThat(journal.ids()).containsExactly("7");
    }

    @Test
    void an_event_that_is_published_under_the_type_of_its_superclass_is_appended() {
        OrderPlaced placed = new OrderPlaced(3, "c");
        service.publish(new PayloadApplicationEvent<Record>(this, placed, ResolvableType.forClass(Record.class)));
        assertThat(journal.ids()).containsExactly("3");
    }

    /** A marked class. */
    @AppendedAs(type = "order.changed.v1", aggregate = "Order")
    static class OrderChanged {
        @AggregateId
        public final long id = 1;
    }

    /** Not marked itself. */
    static class OrderCancelled extends OrderChanged {}

    /** Not marked itself. */
    @AppendedAs(type = "part.v1", aggregate = "Part")
    interface Part {}

    record Wheel(@AggregateId String id) implements Part {}

    @Test
    void an_object_of_a_subclass_of_a_marked_class_is_refused() {
        assertThatThrownBy(() -> service.publish(new OrderCancelled()))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("OrderCancelled")
                .hasMessageContaining("@AppendedAs");
        assertThatThrownBy(() -> service.publish(new Wheel("1"))).isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> service.append(new OrderCancelled())).isInstanceOf(InvalidEventException.class);
        assertThat(journal.ids()).isEmpty();
    }

    /** Has no text of its own. */
    static class InvoiceNumber {
        public final int value = 42;
    }

    @AppendedAs(type = "invoice.sent.v1", aggregate = "Invoice")
    record InvoiceSent(@AggregateId Object number) {}

    @Test
    void an_id_whose_text_differs_from_object_to_object_is_refused() {
        assertThatThrownBy(() -> service.append(new InvoiceSent(new InvoiceNumber())))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("toString");
        assertThatThrownBy(() -> service.append(new InvoiceSent(new byte[] {1})))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("toString");
        service.append(new InvoiceSent("1"));
        assertThat(journal.ids()).containsExactly("1");
    }
}
