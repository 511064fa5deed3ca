package dev.waybill;

import java.util.List;

/**
 * Appends an application's events in the transaction that changes its data: both are committed, or neither.
 * Implementations are safe for use by many threads, each with its own transaction.
 *
 * @param <T> the transaction: {@code java.sql.Connection}, MongoDB's {@code ClientSession}, …
 */
public interface Outbox<T> {

    /**
     * Appends the events, in this order. The JDBC outboxes insert up to 1,000 events with one statement and split longer lists.
     *
     * @throws InvalidEventException when an event cannot be stored; nothing was written
     * @throws NoTransactionException when no transaction has begun; nothing was written
     * @throws DuplicateEventException when an event with the same id exists
     * @throws AppendException when the database failed; roll the transaction back
     */
    void append(T transaction, List<Event> events);

    /**
     * Like {@link #append}, but skips events whose id exists.
     *
     * @return how many were new
     */
    int appendIfAbsent(T transaction, List<Event> events);

    /** Appends the events, in this order. */
    default void append(T transaction, Event... events) {
        append(transaction, List.of(events));
    }

    default int appendIfAbsent(T transaction, Event... events) {
        return appendIfAbsent(transaction, List.of(events));
    }
}
