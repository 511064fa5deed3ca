package dev.waybill.mongodb;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/**
 * Chooses what to claim next. First the heads of closed keys: retries that are due, and records whose lock has run out, as far
 * as no other of their key stands before them. Then pending records, oldest first, of keys that nothing closes.
 */
final class Candidates {
    private final OutboxCollections outbox;
    private final Worker worker;
    private final Limits max;
    private final List<OutboxRecord> chosen = new ArrayList<>();
    private long bytes;
    private boolean full;

    Candidates(OutboxCollections outbox, Worker worker, Limits max) {
        this.outbox = outbox;
        this.worker = worker;
        this.max = max;
    }

    List<OutboxRecord> chosen() {
        return chosen;
    }

    /** Retries that are due by the given clock, and locks that have run out by the server's. */
    static Bson heads(Instant due, Instant serverTime) {
        return Filters.or(
                Filters.and(
                        Filters.eq(Field.STATUS, Field.FAILED),
                        Filters.lte(Field.NEXT_ATTEMPT_AT, new BsonDateTime(due.toEpochMilli()))),
                Filters.and(
                        Filters.eq(Field.STATUS, Field.PROCESSING),
                        Filters.lt(Field.LOCKED_UNTIL, new BsonDateTime(serverTime.toEpochMilli()))));
    }

    void addHeads(Bson heads) {
        List<OutboxRecord> found = new ArrayList<>();
        for (BsonDocument document :
                outbox.records().find(heads).sort(Field.inOrder()).limit(max.events())) {
            found.add(new OutboxRecord(document));
        }
        Blockers blockers = Blockers.ofRetries(outbox, found, worker);
        Set<Utf8> taken = new HashSet<>();
        for (OutboxRecord record : found) {
            if (!blockers.standBefore(record) && taken.add(record.orderKey())) {
                add(record);
            }
        }
    }

    void addPending(Walk walk, long changes) {
        Optional<BsonDateTime> from = walk.from(changes);
        Bson pending = Filters.eq(Field.STATUS, Field.PENDING);
        Bson range = from.map(time -> Filters.and(pending, Filters.gte(Field.CREATED_AT, time)))
                .orElse(pending);
        try (MongoCursor<BsonDocument> cursor = outbox.records()
                .find(range)
                .sort(Sorts.ascending(Field.CREATED_AT))
                .batchSize(max.events() + 1)
                .cursor()) {
            RecordChunks chunks = new RecordChunks(cursor, max, OutboxRecord.POSITION);
            boolean allWait = true;
            while (!full && chunks.hasNext()) {
                List<OutboxRecord> chunk = chunks.next();
                allWait &= addOpen(chunk);
                if (allWait) {
                    OutboxRecord last = chunk.get(chunk.size() - 1);
                    walk.behind(new BsonDateTime(last.createdAt().toEpochMilli()));
                }
            }
        }
    }

    /** @return whether all of them wait for others */
    private boolean addOpen(List<OutboxRecord> chunk) {
        Blockers blockers = Blockers.ofPending(outbox, chunk, chosen, worker);
        boolean allWait = !blockers.missedSome();
        for (OutboxRecord record : chunk) {
            if (!full && !blockers.close(record)) {
                add(record);
                allWait = false;
            }
        }
        return allWait;
    }

    /** Once something did not fit nothing more is taken: a smaller one of its key could overtake it. */
    private void add(OutboxRecord record) {
        long size = record.bytes();
        full |= chosen.size() == max.events() || (!chosen.isEmpty() && bytes + size > max.bytes());
        if (!full) {
            chosen.add(record);
            bytes += size;
        }
    }
}
