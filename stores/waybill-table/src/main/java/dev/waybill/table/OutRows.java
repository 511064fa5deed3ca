package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Settlement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Batches that were given out and are not settled, oldest first. */
final class OutRows {
    private final Deque<TableBatch> batches = new ArrayDeque<>();
    private final Set<String> rowIds = new HashSet<>();
    /** Published, but locked by somebody when they were to be marked. */
    private final Map<String, TableRow> unmarked = new LinkedHashMap<>();

    Batch give(TableBatch batch) {
        batches.addLast(batch);
        batch.rows().forEach(row -> rowIds.add(row.rowId()));
        return batch;
    }

    boolean has(String rowId) {
        return rowIds.contains(rowId) || unmarked.containsKey(rowId);
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    int size() {
        return rowIds.size() + unmarked.size();
    }

    boolean anyRetries() {
        return batches.stream().anyMatch(TableBatch::retries);
    }

    TableBatch takeOldest(RelayName relay, Batch batch, List<Settlement> settlements) {
        TableBatch oldest = batches.peekFirst();
        if (oldest == null || oldest != batch) {
            throw new IllegalStateException("Relay " + relay + ": a batch was settled that is not the oldest of the "
                    + batches.size() + " that are out. Settle in the order of claiming, and not after a release.");
        }
        if (settlements.size() != oldest.rows().size()) {
            throw new IllegalArgumentException("Relay " + relay + ": " + settlements.size()
                    + " settlements for a batch of " + oldest.rows().size() + " events.");
        }
        batches.removeFirst();
        oldest.rows().forEach(row -> rowIds.remove(row.rowId()));
        return oldest;
    }

    /** Rows that are published and still to be marked. */
    List<TableRow> unmarked() {
        return List.copyOf(unmarked.values());
    }

    void toBeMarked(List<TableRow> rows) {
        rows.forEach(row -> unmarked.put(row.rowId(), row));
    }

    void marked(List<TableRow> rows) {
        rows.forEach(row -> unmarked.remove(row.rowId()));
    }

    /** All that is out comes again. */
    List<TableRow> takeAll() {
        List<TableRow> rows = new ArrayList<>();
        batches.forEach(batch -> rows.addAll(batch.rows()));
        batches.clear();
        rowIds.clear();
        return rows;
    }
}
