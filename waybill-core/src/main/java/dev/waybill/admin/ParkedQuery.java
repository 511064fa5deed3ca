package dev.waybill.admin;

import dev.waybill.spi.RelayName;
import java.util.Optional;

/**
 * Which parked events to list.
 *
 * @param state only these, or all
 * @param after the cursor of the last one seen, 0 to begin
 * @param atMost how many
 */
public record ParkedQuery(RelayName relay, Optional<ParkedState> state, long after, int atMost) {
    public static ParkedQuery of(RelayName relay) {
        return new ParkedQuery(relay, Optional.empty(), 0, 100);
    }

    public ParkedQuery in(ParkedState state) {
        return new ParkedQuery(relay, Optional.of(state), after, atMost);
    }

    public ParkedQuery after(long cursor) {
        return new ParkedQuery(relay, state, cursor, atMost);
    }
}
