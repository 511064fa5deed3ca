package dev.waybill.postgres;

import dev.waybill.spi.Batch;
import dev.waybill.spi.StoredEvent;
import java.util.Collections;
import java.util.List;

/** Events the session gave out, and what it must remember until they are settled. */
sealed interface JournalBatch extends Batch {
    List<JournalRow> rows();

    @Override
    default List<StoredEvent> events() {
        return Collections.unmodifiableList(rows());
    }

    /**
     * A page of a window.
     *
     * @param rows those to publish
     * @param behind those whose key is closed: they are parked when the batch is settled
     * @param end where the relay has come once the batch is settled
     */
    record Fresh(List<JournalRow> rows, List<JournalRow> behind, JournalPosition start, JournalPosition end)
            implements JournalBatch {}

    /** Parked events whose time has come. */
    record Due(List<JournalRow> rows) implements JournalBatch {}
}
