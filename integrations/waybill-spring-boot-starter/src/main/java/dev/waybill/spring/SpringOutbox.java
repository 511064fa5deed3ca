package dev.waybill.spring;

import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Appends events in the current Spring transaction: they are committed with its data, or not at all. There is a bean for each
 * store; {@code @Qualifier("billing")} selects that of the store {@code billing}. Safe for use by many threads.
 *
 * <pre>{@code
 * @Transactional
 * void place(Order order) {
 *     orders.save(order);
 *     outbox.append(new OrderPlaced(order.id(), order.total()));
 * }
 * }</pre>
 *
 * Events are inserted at once, over the connection of the transaction. Entities that JPA has not written yet are flushed first.
 * Nothing is written, and the message names the remedy, without a transaction on the store's own data source, in a read-only
 * transaction, and after the commit.
 */
public interface SpringOutbox {

    /**
     * Appends events and domain objects, in this order.
     *
     * @param events each an {@link Event}, or an object of a class marked with {@link AppendedAs}, or of one that a bean
     *     of type {@link EventMapping} maps
     * @throws NoTransactionException when there is no transaction in which they could be stored; nothing was written
     * @throws InvalidEventException when an object has no mapping, or cannot be mapped or stored; nothing was written, and the
     *     transaction can go on
     * @throws DuplicateEventException when an event with the same id exists
     * @throws AppendException when the database failed; roll the transaction back
     */
    void appendAll(Collection<?> events);

    /**
     * Like {@link #append(Event...)}, but skips events whose id exists.
     *
     * @return how many were new
     */
    int appendIfAbsent(Event... events);

    /** Appends the events, in this order: see {@link #appendAll}. */
    default void append(Event... events) {
        appendAll(List.of(events));
    }

    /** Maps the domain objects to events and appends them, in this order: see {@link #appendAll}. */
    default void append(Object... domainEvents) {
        appendAll(Arrays.asList(domainEvents));
    }
}
