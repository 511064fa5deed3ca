package dev.waybill.postgres.relay;

import dev.waybill.spi.transaction.WindowPosition;
import java.util.List;
import java.util.UUID;

/**
 * A saved window, or the rest of one.
 *
 * @param number increases with every window of the relay
 * @param start where the journal is read from, or read on from if the window has requeued events
 * @param requeued seqs of parked events; empty if the window is one of the journal
 */
record OpenWindow(long number, UUID id, JournalPosition start, List<Long> requeued) {

    WindowPosition at(long seq) {
        return new WindowPosition(id, seq);
    }

    /** Where the journal is read on from behind this seq of the window. */
    JournalPosition behind(long seq) {
        if (!requeued.isEmpty() || start.target() == null) {
            return start;
        }
        return seq >= start.high() ? JournalPosition.atEndOf(start.target()) : start.at(Math.max(start.seq(), seq));
    }
}
