package dev.waybill.spi.transaction;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.util.Optional;

/**
 * A store whose positions a destination can keep, in the transaction that contains the messages. Windows of events are saved in
 * the store before they are read, so that a position that was committed elsewhere means the same after any crash of the store.
 */
public interface WindowStore extends EventStore {
    /**
     * Takes the relay's lease, as {@link #open} does.
     *
     * @return empty while another owner holds the lease
     * @throws StoreRefusedException if the store must not be read in its present state; the message names the remedy
     * @throws StoreException if the store is unavailable
     */
    Optional<WindowSession> openWindows(RelayName relay, OwnerId owner, Duration lease);
}
