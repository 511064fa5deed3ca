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
     * Appends the events, in this order. Together they take as few statements as the database allows: the JDBC outboxes send
     * up to 1,000 events in one statement and split longer lists.
     *
     * @throws InvalidEventException when an event cannot be stored; nothing was written
     * @throws NoTransactionException when no transaction has begun; nothing was written
     * @throws DuplicateEventException when an id is already there
     * @throws AppendException when the database refused; roll the transaction back
     */
    void append(T transaction, List<Event> events);

    /**
     * Like {@link #append}, but skips events whose id is already there.
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
