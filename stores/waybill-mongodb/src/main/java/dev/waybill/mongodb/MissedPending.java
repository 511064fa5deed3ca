package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import dev.waybill.spi.Utf8;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * Pending records that a scan missed: it sees what is committed when it reads a position, so it may pass the position of an event
 * that commits later, and then read a later event of the same key. A read that starts after the later event was seen finds the
 * earlier one, too; this second read does that. It reads at most one record more than is known: if there are more, nothing of the
 * chunk is sent, and the scan starts again.
 */
final class MissedPending {
    private final Set<BsonValue> known = new HashSet<>();
    private final Map<Utf8, List<OutboxRecord>> byKey = new HashMap<>();
    private boolean tooMany;

    /**
     * @param open pending records of open keys, in order
     * @param chunk those and the others that were read with them
     * @param chosen records that are claimed before them
     */
    static MissedPending before(
            OutboxCollections outbox, List<OutboxRecord> open, List<OutboxRecord> chunk, List<OutboxRecord> chosen) {
        MissedPending missed = new MissedPending();
        chunk.forEach(record -> missed.known.add(record.documentId()));
        chosen.forEach(record -> missed.known.add(record.documentId()));
        if (!open.isEmpty()) {
            missed.read(outbox, open);
        }
        return missed;
    }

    private void read(OutboxCollections outbox, List<OutboxRecord> open) {
        Set<BsonValue> keys = new HashSet<>();
        open.forEach(record -> keys.add(record.partitionKey()));
        BsonDateTime last =
                new BsonDateTime(open.get(open.size() - 1).createdAt().toEpochMilli());
        Bson upToLast = Filters.and(
                Filters.in(Field.PARTITION_KEY, keys),
                Filters.eq(Field.STATUS, Field.PENDING),
                Filters.lte(Field.CREATED_AT, last));
        int found = 0;
        for (BsonDocument document :
                outbox.records().find(upToLast).projection(OutboxRecord.PLACE).limit(known.size() + 1)) {
            OutboxRecord record = new OutboxRecord(document);
            found++;
            if (!known.contains(record.documentId())) {
                byKey.computeIfAbsent(record.orderKey(), key -> new ArrayList<>())
                        .add(record);
            }
        }
        tooMany = found > known.size();
    }

    boolean standBefore(OutboxRecord pending) {
        return tooMany
                || byKey.getOrDefault(pending.orderKey(), List.of()).stream()
                        .anyMatch(other -> OutboxRecord.POSITION.compare(other, pending) < 0);
    }
}
