package dev.waybill.mongodb;

import dev.waybill.spi.Batch;
import dev.waybill.spi.StoredEvent;
import java.util.List;

/** Records that were claimed together. */
record MongoBatch(List<OutboxRecord> records) implements Batch {
    @Override
    public List<StoredEvent> events() {
        return List.copyOf(records);
    }
}
