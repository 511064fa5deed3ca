package dev.waybill.spi;

import dev.waybill.RelayName;
import java.time.Duration;
import java.util.Optional;

/** An outbox, as read by relays. Safe for use by many threads. */
public interface EventStore {
    /**
     * Deletes events that all relays have published, that are not parked and that are older than the given age, in one bounded step.
     *
     * @param olderThan by the store's clock
     * @param atMost maximum number of events that the step examines
     * @return whether more is left to delete
     */
    boolean purge(Duration olderThan, int atMost);

    /**
     * Takes the relay's lease, if it is free, expired, or held by the same owner.
     *
     * @param lease how long the lease lasts from now and from each renewal, by the store's clock
     * @return empty while another owner holds the lease
     * @throws StoreRefusedException if the store must not be read in its present state; the message names the remedy
     * @throws StoreException if the store is unavailable
     */
    Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease);

    /** Where the processes that run its relays see each other; empty if its relays are not shared evenly. */
    Optional<ProcessRegister> processes();
}
