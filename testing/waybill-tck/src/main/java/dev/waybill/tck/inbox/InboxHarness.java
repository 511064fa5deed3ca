package dev.waybill.tck.inbox;

import dev.waybill.Inbox;

/**
 * An empty inbox for one test, with a place where effects can be seen.
 *
 * @param <T> the transaction
 */
public interface InboxHarness<T> extends AutoCloseable {
    Inbox<T> inbox();

    /** Begins a transaction. Several may be open at once; the contract uses each on one thread. */
    T begin();

    /** Leaves one effect of that name, in the transaction. */
    void leaveEffect(T transaction, String name);

    void commit(T transaction);

    /** Does nothing when the transaction has ended. */
    void rollback(T transaction);

    /** How many committed effects of that name there are. */
    int effects(String name);

    /** Whether it keeps several consumers apart; if not, it takes {@link InboxContract#CONSUMER} alone. */
    boolean takesSeveralConsumers();

    /** Whether it can refuse versions that are not newer. */
    boolean guardsVersions();

    @Override
    void close();
}
