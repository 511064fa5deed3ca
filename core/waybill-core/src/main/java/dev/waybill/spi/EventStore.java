package dev.waybill.spi;

import dev.waybill.RelayName;
import java.time.Duration;
import java.util.Optional;

/** An outbox seen from the relay. Safe for use by many threads. */
public interface EventStore {
    /**
     * Deletes one bounded step of what every relay has published, nothing parks, and is older than the given age.
     *
     * @param olderThan by the store's own clock
     * @param atMost how many events one step looks at
     * @return whether more is left to delete
     */
    boolean purge(Duration olderThan, int atMost);

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
