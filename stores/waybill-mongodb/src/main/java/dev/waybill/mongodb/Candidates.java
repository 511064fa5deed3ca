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
 * Chooses what to claim next: first the heads of closed keys whose retry is due, then pending records of open keys, oldest first.
 * It reads only positions and keys, so that skipped records cost little.
 */
final class Candidates {
    private final OutboxCollections outbox;
    private final Worker worker;
    private final Limits max;
    private final Set<Utf8> closed;
    private final List<OutboxRecord> chosen = new ArrayList<>();

    /** @param closed keys whose pending records wait for records in flight */
    Candidates(OutboxCollections outbox, Worker worker, Limits max, Set<Utf8> closed) {
        this.outbox = outbox;
        this.worker = worker;
        this.max = max;
        this.closed = closed;
    }

    List<OutboxRecord> chosen() {
        return chosen;
    }

    /** Retries that are due according to the given clock. */
    static Bson due(Instant now) {
        return Filters.and(
                Filters.eq(Field.STATUS, Field.FAILED),
                Filters.lte(Field.NEXT_ATTEMPT_AT, new BsonDateTime(now.toEpochMilli())));
    }

    /** Only the head of each key. There may be many followers after an operator has requeued them. */
    void addDue(Instant now) {
        Set<Utf8> seen = new HashSet<>();
        try (MongoCursor<BsonDocument> cursor = outbox.records()
                .find(due(now))
                .projection(OutboxRecord.PLACE)
                .sort(Sorts.ascending(Field.NEXT_ATTEMPT_AT))
                .batchSize(max.events())
                .cursor()) {
            List<OutboxRecord> found = new ArrayList<>();
            while (!isFull() && cursor.hasNext()) {
                OutboxRecord record = new OutboxRecord(cursor.next());
                if (!seen.contains(record.orderKey())) {
                    found.add(record);
                }
                if (found.size() == max.events()) {
                    addHeads(found, seen, now);
                }
            }
            addHeads(found, seen, now);
        }
    }

    private void addHeads(List<OutboxRecord> found, Set<Utf8> seen, Instant now) {
        if (found.isEmpty()) {
            return;
        }
        Blockers blockers = Blockers.of(outbox, found, worker);
        found.stream().filter(blockers::isHead).forEach(this::add);
        found.forEach(record -> seen.add(record.orderKey()));
        found.clear();
        blockers.letFollowersWait(now);
    }

    void addPending(Walk walk, long changes) {
        Optional<BsonDateTime> from = walk.from(changes);
        Bson pending = Filters.eq(Field.STATUS, Field.PENDING);
        Bson range = from.map(time -> Filters.and(pending, Filters.gte(Field.CREATED_AT, time)))
                .orElse(pending);
        if (isFull()) {
            return;
        }
        try (MongoCursor<BsonDocument> cursor = outbox.records()
                .find(range)
                .projection(OutboxRecord.PLACE)
                .sort(Sorts.ascending(Field.CREATED_AT))
                .batchSize(max.events() + 1)
                .cursor()) {
            RecordChunks chunks = new RecordChunks(cursor, max, OutboxRecord.POSITION);
            boolean allWait = true;
            while (!isFull() && chunks.hasNext()) {
                List<OutboxRecord> chunk = chunks.next();
                allWait &= addOpen(chunk);
                if (allWait) {
                    OutboxRecord last = chunk.get(chunk.size() - 1);
                    walk.behind(new BsonDateTime(last.createdAt().toEpochMilli()));
                }
            }
        }
    }

    /** @return whether all of them wait behind others */
    private boolean addOpen(List<OutboxRecord> chunk) {
        Blockers blockers = Blockers.of(outbox, chunk, worker);
        List<OutboxRecord> open = chunk.stream()
                .filter(record -> !blockers.close(record) && !closed.contains(record.orderKey()))
                .toList();
        MissedPending missed = MissedPending.before(outbox, open, chunk, chosen);
        open.stream().filter(record -> !missed.standBefore(record)).forEach(this::add);
        return open.isEmpty();
    }

    private boolean isFull() {
        return chosen.size() == max.events();
    }

    private void add(OutboxRecord record) {
        if (!isFull()) {
            chosen.add(record);
        }
    }
}
