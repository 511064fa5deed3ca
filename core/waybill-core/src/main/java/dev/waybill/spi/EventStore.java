package dev.waybill.spi;

import java.time.Duration;
import java.util.Optional;

/** An outbox seen from the relay. Safe for use by many threads. */
public interface EventStore {
    StoreCapabilities capabilities();

    /**
     * Takes the relay's lease, when it is free, expired, or held by this very owner.
     *
     * @param lease how long the lease lasts from now and from each renewal, by the store's own clock
     * @return nothing while another owner holds the lease
     * @throws StoreRefusedException when this store must not be read as it is; the message has the remedy
     * @throws StoreException when the store cannot be reached
     */
    Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease);
}
