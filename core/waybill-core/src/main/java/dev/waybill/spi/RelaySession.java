package dev.waybill.spi;

import java.util.List;
import java.util.Optional;

/**
 * One epoch of a relay's lease. Any method may throw {@link LeaseLostException} if another session took over the relay, and
 * {@link StoreException} if the store failed; after either, the session cannot be used: close it and open another.
 *
 * <p>One thread at a time, except {@link #renew()}, which may be called concurrently, and {@link BesideClaims}.
 */
public interface RelaySession extends LeasedSession {
    /**
     * The next events, new or due for a retry, in publishing order. Never an event of a closed key (a key with an earlier event
     * that waits or is dead and holds it), except the first waiting one when its retry is due. A key that was closed while later
     * events of it were claimed stays closed until those are settled, also if an operator discards the event that closed it. Several
     * batches may be claimed before the first is settled.
     *
     * @return empty if there are no events now, or the relay is paused; a batch can be without events, and must be settled too
     */
    Optional<Batch> claim(Limits max);

    /**
     * Records the outcome of a batch's events. Batches are settled in the order in which they were claimed.
     *
     * @param inClaimOrder one settlement for each event of the batch, in its order. After a {@link Settlement.Released} the
     *     batches claimed after this one are void: they are not settled, and their events are claimed again.
     */
    void settle(Batch batch, List<Settlement> inClaimOrder);

    /**
     * How this session settles while another thread claims. Empty if it does not: then it is used by one thread at a time, as
     * described above.
     */
    Optional<BesideClaims> besideClaims();

    /** Settles while another thread claims. */
    interface BesideClaims {
        /**
         * Settles a batch whose events are all published, as {@link RelaySession#settle} does and never at the same time. A claim
         * that is in progress, or that begins meanwhile, returns none of its events.
         */
        void published(Batch batch);
    }

    /** Saves the settled position and releases the lease. Never throws. */
    @Override
    void close();
}
