package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.waybill.spi.Utf8;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * Records that close their keys: those that wait for a retry or are being sent again, those that are dead and hold their key,
 * and those that another worker has locked. What this session is sending for the first time closes nothing, since later ones
 * of its key may go out behind it.
 */
final class Blockers {
    static final Bson THIN = Projections.exclude(Field.PAYLOAD, Field.HEADERS);

    private final Map<Utf8, List<OutboxRecord>> byKey = new HashMap<>();

    private Blockers() {}

    /** Those of the keys of these records. */
    static Blockers among(OutboxCollections outbox, Collection<OutboxRecord> records, Worker worker) {
        Blockers blockers = new Blockers();
        Set<BsonValue> keys = new HashSet<>();
        records.forEach(record -> keys.add(record.partitionKey()));
        if (keys.isEmpty()) {
            return blockers;
        }
        Bson closing = Filters.and(
                Filters.in(Field.PARTITION_KEY, keys), Filters.in(Field.STATUS, Field.FAILED, Field.PROCESSING));
        for (BsonDocument document : outbox.records().find(closing).projection(THIN)) {
            OutboxRecord record = new OutboxRecord(document);
            if (closesKey(record, worker)) {
                blockers.byKey
                        .computeIfAbsent(record.orderKey(), key -> new ArrayList<>())
                        .add(record);
            }
        }
        return blockers;
    }

    private static boolean closesKey(OutboxRecord record, Worker worker) {
        if (record.status().equals(Field.PROCESSING)) {
            return record.isRetry() || !record.isLockedBy(worker.name());
        }
        return record.isRetry() || record.holdsKey();
    }

    boolean close(Utf8 key) {
        return byKey.containsKey(key);
    }

    /** Whether one of its key stands before it. */
    boolean standBefore(OutboxRecord record) {
        return byKey.getOrDefault(record.orderKey(), List.of()).stream()
                .anyMatch(other -> OutboxRecord.POSITION.compare(other, record) < 0);
    }
}
