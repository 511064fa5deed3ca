package dev.waybill;

import java.util.List;

/**
 * Where an application appends its events, inside the transaction that changes its data: both are committed, or neither.
 * Implementations are safe for use by many threads, each with its own transaction.
 *
 * @param <T> the transaction: {@code java.sql.Connection}, MongoDB's {@code ClientSession}, …
 */
public interface Outbox<T> {

    /**
     * Appends the events, in this order, in one statement.
     *
     * @throws InvalidEventException when an event or the transaction cannot be used; nothing was written
     * @throws DuplicateEventException when an id is already there
     * @throws AppendException when the database refused; roll the transaction back
     */
    void append(T transaction, List<Event> events);

    /**
     * Like {@link #append}, but an event whose id is already there is passed over.
     *
     * @return how many were new
     */
    int appendIfAbsent(T transaction, List<Event> events);

    /** Appends the events, in this order, in one statement. */
    default void append(T transaction, Event... events) {
        append(transaction, List.of(events));
    }

    default int appendIfAbsent(T transaction, Event... events) {
        return appendIfAbsent(transaction, List.of(events));
    }
}
