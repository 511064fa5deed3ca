package dev.waybill.postgres.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.StoredEvent;
import java.util.Collections;
import java.util.List;

/** Events that are in flight, with what the session needs to settle them. */
sealed interface JournalBatch extends Batch {
    List<JournalRow> rows();

    @Override
    default List<StoredEvent> events() {
        return Collections.unmodifiableList(rows());
    }

    /**
     * A page of a window.
     *
     * @param rows events to publish
     * @param behind events whose key is closed: they are parked when the batch is settled
     * @param end position of the relay once the batch is settled
     */
    record Fresh(List<JournalRow> rows, List<JournalRow> behind, JournalPosition start, JournalPosition end)
            implements JournalBatch {}

    /** Parked events that are due. */
    record Due(List<JournalRow> rows) implements JournalBatch {}
}
