package dev.waybill.spi.transaction;

import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.LeasedSession;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import java.util.List;
import java.util.Optional;

/**
 * One epoch of a relay whose position is committed together with its messages, by the destination. Nothing waits here for a
 * retry: what cannot be published now is read again after {@link #resume}, and what never can is given up.
 *
 * <p><b>Fencing.</b> The caller first takes over at the destination, so that no older process can commit there any more, then
 * asks the destination for the committed position, then calls {@link #resume}. Reading fails if a newer session has the lease. So
 * of two sessions, only the newer one reads events that it can commit.
 *
 * <p>Any method may throw {@link LeaseLostException} if another session took over the relay, and {@link StoreException} if the
 * store failed; after either, the session cannot be used: close it and open another. One thread at a time, except
 * {@link #renew()}, which may be called concurrently.
 */
public interface WindowSession extends LeasedSession {
    /**
     * Identifies the store among all that may share a destination: the same in every process, another one in a copy whose
     * positions mean something else, or that belongs to another environment. Letters and digits.
     */
    String origin();

    /**
     * Continues behind a position. Called before the first read, and whenever events that were read will not be committed. All
     * pages that were read before are void.
     *
     * @param committed the position that the destination has committed last; empty if it has none for this relay
     */
    Resumed resume(Optional<WindowPosition> committed);

    /**
     * The next events that are neither committed nor given up, with those that an operator requeued.
     *
     * @return empty if there are no events now, or the relay is paused
     */
    Optional<WindowPage> read(Limits max);

    /**
     * Records that events of pages that were read are dead: they are not read any more. All pages that were read and are not
     * committed are void: resume. Their positions must not be committed, because a replica may know their windows and not that the
     * events are dead, and pages may contain later events of a key that is held.
     *
     * @param outcomes one for each event
     */
    void giveUp(List<StoredEvent> events, List<Settlement.Dead> outcomes);

    /**
     * The destination has committed this position. The store follows: it saves its own position now and then, and forgets
     * windows before it.
     */
    void committed(WindowPosition position);

    /** Saves the position that was committed last and releases the lease. Never throws. */
    @Override
    void close();

    /** Where a session continues. */
    enum Resumed {
        /** Behind the committed position. */
        COMMITTED(false),
        /** At the store's own position: the relay has not committed any yet, or did not work like this in between. */
        OWN_POSITION(false),
        /** At the store's own position, because the destination has lost the position that it had committed. */
        POSITION_LOST(true),
        /**
         * At the store's own position, because the store does not know the window of the committed one, as after a failover to
         * a replica that had not received it.
         */
        WINDOW_UNKNOWN(true);

        private final boolean repeats;

        Resumed(boolean repeats) {
            this.repeats = repeats;
        }

        /** Whether events that were committed may be read again. */
        public boolean mayRepeat() {
            return repeats;
        }
    }
}
