package dev.waybill.table.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.StoredEvent;
import dev.waybill.table.rows.TableRow;
import java.util.Collections;
import java.util.List;

/**
 * Claimed rows.
 *
 * @param retries whether they were waiting for a retry
 */
record TableBatch(List<TableRow> rows, boolean retries) implements Batch {

    @Override
    public List<StoredEvent> events() {
        return Collections.unmodifiableList(rows);
    }

    /** By identity, since several batches may have no rows. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
