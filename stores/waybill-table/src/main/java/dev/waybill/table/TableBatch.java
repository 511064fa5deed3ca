package dev.waybill.table;

import dev.waybill.spi.Batch;
import dev.waybill.spi.StoredEvent;
import java.util.Collections;
import java.util.List;

/**
 * Rows the session gave out.
 *
 * @param retries whether they waited in the side table for their retry
 */
record TableBatch(List<TableRow> rows, boolean retries) implements Batch {

    @Override
    public List<StoredEvent> events() {
        return Collections.unmodifiableList(rows);
    }

    /** Two batches without rows are still two. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
