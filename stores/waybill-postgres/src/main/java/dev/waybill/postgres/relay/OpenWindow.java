package dev.waybill.postgres.relay;

import dev.waybill.spi.transaction.WindowPosition;
import java.util.List;
import java.util.UUID;

/**
 * A saved window, or the rest of one.
 *
 * @param number increases with every window of the relay
 * @param start where the journal is read from, or read on from if the window has requeued events
 * @param ofParked whether it has parked events and none of the journal
 * @param requeued seqs of the parked events
 */
record OpenWindow(long number, UUID id, JournalPosition start, boolean ofParked, List<Long> requeued) {

    WindowPosition at(long seq) {
        return new WindowPosition(id, seq);
    }

    /** Where the journal is read on from behind this seq of the window. */
    JournalPosition behind(long seq) {
        if (ofParked || start.target() == null) {
            return start;
        }
        return seq >= start.high() ? JournalPosition.atEndOf(start.target()) : start.at(Math.max(start.seq(), seq));
    }
}
