package dev.waybill.admin;

import java.util.List;
import java.util.Optional;

/** Checks the place where a broker keeps the positions of relays that deliver exactly once. */
public interface PositionsCheckup {
    /** Changes nothing. An unavailable broker is a finding, not an exception. */
    List<Finding> examinePositions();

    /**
     * The position that was committed last; empty if there is none.
     *
     * @param writerId as in {@link PositionAdmin#writerId}
     * @throws dev.waybill.spi.DestinationUnavailableException if it cannot be read
     */
    Optional<String> position(String writerId);
}
