package dev.waybill.spi;

import java.util.List;
import java.util.Optional;

/**
 * One epoch of a relay's lease. Any method may throw {@link LeaseLostException} once another session took the relay over,
 * and {@link StoreException} when the store failed; after either the session is of no more use: close it and open another.
 *
 * <p>One thread at a time, except {@link #renew()}, which may be called beside the others.
 */
public interface RelaySession extends AutoCloseable {
    /** Counts up with every session of the relay. */
    long epoch();

    /**
     * Extends the lease.
     *
     * @return false when the lease is lost
     */
    boolean renew();

    /**
     * The next events, fresh or due for their retry, in the order to publish them. Never an event of a closed key, that is
     * one that has an earlier event waiting or held, except what waits at its head. Several batches may be out at once.
     *
     * @return nothing when there is nothing to do now, or the relay is paused; a batch may be without events, and is to be
     *     settled all the same
     */
    Optional<Batch> claim(Limits max);

    /**
     * Says what became of a batch's events. Batches are settled in the order in which they were claimed.
     *
     * @param inClaimOrder one settlement for each event of the batch, in its order. After a {@link Settlement.Released} the
     *     batches claimed after this one are void: they are not settled, and their events come again.
     */
    void settle(Batch batch, List<Settlement> inClaimOrder);

    /** Saves what was settled and gives the lease back. Never throws. */
    @Override
    void close();
}
