package dev.waybill.mongodb;

import dev.waybill.spi.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Records in the order of their time, in chunks of about one claim. A chunk never ends between two records of the same
 * millisecond, so that it can be sorted by itself: the index has times only, and a sort by more would make the server read
 * everything first.
 */
final class RecordChunks implements Iterator<List<OutboxRecord>> {
    /** More records than this in one millisecond are not sorted. */
    private static final int MOST_AT_ONCE = 10_000;

    private final Iterator<BsonDocument> documents;
    private final Limits size;
    private final Comparator<OutboxRecord> order;
    private @Nullable OutboxRecord next;

    RecordChunks(Iterator<BsonDocument> documents, Limits size, Comparator<OutboxRecord> order) {
        this.documents = documents;
        this.size = size;
        this.order = order;
        this.next = read();
    }

    private @Nullable OutboxRecord read() {
        return documents.hasNext() ? new OutboxRecord(documents.next()) : null;
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public List<OutboxRecord> next() {
        List<OutboxRecord> chunk = new ArrayList<>();
        long bytes = 0;
        while (next != null) {
            boolean enough = chunk.size() >= size.events() || bytes >= size.bytes();
            if (enough && (chunk.size() >= size.events() + MOST_AT_ONCE || !isOfSameTime(chunk, next))) {
                break;
            }
            chunk.add(next);
            bytes += next.bytes();
            next = read();
        }
        chunk.sort(order);
        return chunk;
    }

    private static boolean isOfSameTime(List<OutboxRecord> chunk, OutboxRecord record) {
        return chunk.get(chunk.size() - 1).createdAt().equals(record.createdAt());
    }
}
