package dev.waybill.tck.memory;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/** Events claimed together, including those skipped because their key is closed. */
final class MemoryBatch implements Batch {
    private final List<Entry> entries = new ArrayList<>();
    private final Limits limits;
    private int count;
    private long bytes;

    MemoryBatch(Limits limits) {
        this.limits = limits;
    }

    enum Kind {
        FRESH,
        RETRY,
        /** A new event of a closed key: it is not published, and is parked when the batch is settled. */
        PASSED_OVER
    }

    record Entry(MemoryEvent event, Kind kind) {}

    boolean hasRoomFor(MemoryEvent event) {
        return count == 0 || (count < limits.events() && bytes + event.bytes() <= limits.bytes());
    }

    void add(MemoryEvent event, Kind kind) {
        entries.add(new Entry(event.within(limits.largest()), kind));
        if (kind != Kind.PASSED_OVER) {
            count++;
            bytes += event.bytes();
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    List<Entry> entries() {
        return entries;
    }

    int size() {
        return count;
    }

    @Override
    public List<StoredEvent> events() {
        return entries.stream()
                .filter(entry -> entry.kind() != Kind.PASSED_OVER)
                .<StoredEvent>map(Entry::event)
                .toList();
    }
}
