package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Batches that are not settled yet, oldest first. A batch that is settled beside a claim is taken by one thread; its rows stay until
 * the thread that claims knows of it, since a page that was read before may contain them.
 */
final class RowsInFlight {
    private final Deque<TableBatch> batches = new ArrayDeque<>();
    private final Set<String> rowIds = new HashSet<>();
    /** Published rows that somebody had locked when they were to be marked, or that the guard knows. */
    private final Map<String, TableRow> unmarked = new LinkedHashMap<>();

    synchronized Batch add(TableBatch batch) {
        batches.addLast(batch);
        batch.rows().forEach(row -> rowIds.add(row.rowId()));
        return batch;
    }

    boolean contains(String rowId) {
        return rowIds.contains(rowId) || unmarked.containsKey(rowId);
    }

    synchronized boolean isEmpty() {
        return batches.isEmpty();
    }

    int size() {
        return rowIds.size() + unmarked.size();
    }

    synchronized boolean anyRetries() {
        return batches.stream().anyMatch(TableBatch::retries);
    }

    /** Takes the oldest batch, whose rows are no longer in flight. */
    TableBatch takeOldest(RelayName relay, Batch batch, List<Settlement> settlements) {
        TableBatch oldest = takeBesideClaim(relay, batch, settlements);
        forget(oldest);
        return oldest;
    }

    /** Takes the oldest batch. Its rows are in flight until {@link #forget}. */
    synchronized TableBatch takeBesideClaim(RelayName relay, Batch batch, List<Settlement> settlements) {
        TableBatch oldest = batches.peekFirst();
        if (oldest == null || oldest != batch) {
            throw new IllegalStateException("Relay " + relay + ": settled a batch that is not the oldest of "
                    + batches.size() + " in flight. Settle in claim order, and not after a release.");
        }
        if (settlements.size() != oldest.rows().size()) {
            throw new IllegalArgumentException("Relay " + relay + ": " + settlements.size()
                    + " settlements for a batch of " + oldest.rows().size() + " events.");
        }
        batches.removeFirst();
        return oldest;
    }

    void forget(TableBatch settled) {
        settled.rows().forEach(row -> rowIds.remove(row.rowId()));
    }

    int countUnmarked() {
        return unmarked.size();
    }

    List<TableRow> unmarked() {
        return List.copyOf(unmarked.values());
    }

    void toBeMarked(List<TableRow> rows) {
        rows.forEach(row -> unmarked.put(row.rowId(), row.withoutMessage()));
    }

    void marked(List<TableRow> rows) {
        rows.forEach(row -> unmarked.remove(row.rowId()));
    }

    /** Removes all batches: their rows will be claimed again. */
    synchronized List<TableRow> takeAll() {
        List<TableRow> rows = new ArrayList<>();
        batches.forEach(batch -> rows.addAll(batch.rows()));
        batches.clear();
        rowIds.clear();
        return rows;
    }
}
