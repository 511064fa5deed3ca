package dev.waybill.spi.transaction;

import dev.waybill.spi.Destination;
import dev.waybill.spi.DestinationUnavailableException;

/** A destination that can commit messages together with the position of the relay that sent them. */
public interface TransactionalDestination extends Destination {
    /**
     * Takes over from all writers with this id, in any process: from now on none of them can commit. Waits until their last
     * transaction has ended. {@link #abort()} ends this writer, too: whatever it was doing fails.
     *
     * @param id the same in every process that runs the relay, and of no other relay
     * @throws DestinationUnavailableException if the destination is unavailable or refuses it
     */
    TransactionalWriter openWriter(String id);
}
