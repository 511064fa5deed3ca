package dev.waybill.tck.inbox;

import dev.waybill.Inbox;

/**
 * An empty inbox for one test, with observable effects.
 *
 * @param <T> the transaction
 */
public interface InboxHarness<T> extends AutoCloseable {
    Inbox<T> inbox();

    /** Begins a transaction. Several may be open at once; the contract uses each on one thread. */
    T begin();

    /** Makes one effect with that name in the transaction. */
    void leaveEffect(T transaction, String name);

    void commit(T transaction);

    /** Does nothing if the transaction has ended. */
    void rollback(T transaction);

    /**
     * Rolls the transaction back below the inbox, and begins another one in its place if the database does so: as after a deadlock
     * whose exception a handler swallows.
     */
    void startOver(T transaction);

    /** Number of committed effects with that name. */
    int effects(String name);

    /** Whether the inbox supports several consumers; if not, it accepts only {@link InboxContract#CONSUMER}. */
    boolean takesSeveralConsumers();

    /** Whether the inbox can refuse versions that are not newer. */
    boolean guardsVersions();

    @Override
    void close();
}
