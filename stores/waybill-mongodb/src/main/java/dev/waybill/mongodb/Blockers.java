package dev.waybill.mongodb;

import static java.util.Objects.requireNonNull;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * Records that close their keys for later ones: those that wait for a retry or are being retried, dead ones that hold their key,
 * those that another worker has locked, and those that another worker failed to publish, until {@link Adoption} decides about them.
 * A record that this session sends for the first time closes nothing, since later ones of its key may be sent behind it. The first
 * record of each key is kept.
 */
final class Blockers {
    private static final int STEP = 1_000;

    private final OutboxCollections outbox;
    private final Worker worker;
    private final Map<Utf8, OutboxRecord> first = new HashMap<>();
    private final List<OutboxRecord> followers = new ArrayList<>();

    private Blockers(OutboxCollections outbox, Worker worker) {
        this.outbox = outbox;
        this.worker = worker;
    }

    /** Blockers of the keys of these records. */
    static Blockers of(OutboxCollections outbox, List<OutboxRecord> records, Worker worker) {
        Blockers blockers = new Blockers(outbox, worker);
        blockers.read(records);
        return blockers;
    }

    private void read(List<OutboxRecord> records) {
        Set<BsonValue> keys = new HashSet<>();
        records.forEach(record -> keys.add(record.partitionKey()));
        // Before and after the others: meanwhile an operator may requeue such a record, or another worker may fail.
        Set<BsonValue> seen = addFailedByOthers(keys, Set.of());
        Bson ofTheirKeys = Filters.in(Field.PARTITION_KEY, keys);
        Bson closing = Filters.or(
                Filters.and(ofTheirKeys, Parking.CLOSING),
                Filters.and(ofTheirKeys, Filters.eq(Field.STATUS, Field.PROCESSING)));
        for (BsonDocument document : outbox.records().find(closing).projection(OutboxRecord.PLACE)) {
            OutboxRecord record = new OutboxRecord(document);
            boolean ownForTheFirstTime = !record.isRetry() && record.isLockedBy(worker.name());
            if (!ownForTheFirstTime && !seen.contains(record.documentId())) {
                add(record);
            }
        }
        addFailedByOthers(keys, seen);
    }

    /** Adds what other workers failed to publish and what is not yet among these ids. There are few, since they are adopted soon. */
    private Set<BsonValue> addFailedByOthers(Set<BsonValue> keys, Set<BsonValue> known) {
        Set<BsonValue> ids = new HashSet<>(known);
        for (BsonDocument document : outbox.records().find(Adoption.OF_OTHERS).projection(OutboxRecord.PLACE)) {
            OutboxRecord record = new OutboxRecord(document);
            if (keys.contains(record.partitionKey()) && ids.add(record.documentId())) {
                add(record);
            }
        }
        return ids;
    }

    private void add(OutboxRecord record) {
        OutboxRecord known = first.putIfAbsent(record.orderKey(), record);
        if (known != null) {
            boolean earlier = OutboxRecord.POSITION.compare(record, known) < 0;
            first.put(record.orderKey(), earlier ? record : known);
            followers.add(earlier ? known : record);
        }
    }

    /** Whether one of them stands before this record. */
    boolean close(OutboxRecord pending) {
        OutboxRecord head = first.get(pending.orderKey());
        return head != null && OutboxRecord.POSITION.compare(head, pending) < 0;
    }

    /** Whether it is the first record that closes its key. */
    boolean isHead(OutboxRecord retry) {
        OutboxRecord head = first.get(retry.orderKey());
        return head != null && head.documentId().equals(retry.documentId());
    }

    /**
     * Due retries behind another record of their key become pending again, or every claim would read them. So do later retries of
     * that key, which would be sent before pending records otherwise, and all retries behind a dead record that holds their key.
     */
    void letFollowersWait(Instant due) {
        followers.sort(OutboxRecord.POSITION);
        Set<Utf8> waiting = new HashSet<>();
        List<BsonValue> ids = new ArrayList<>();
        for (OutboxRecord record : followers) {
            if (record.isDueAt(due)
                    || record.holdsKey()
                    || requireNonNull(first.get(record.orderKey())).holdsKey()) {
                waiting.add(record.orderKey());
            }
            if (waiting.contains(record.orderKey())) {
                ids.add(record.documentId());
            }
        }
        for (int from = 0; from < ids.size(); from += STEP) {
            List<BsonValue> some = ids.subList(from, Math.min(ids.size(), from + STEP));
            outbox.records()
                    .updateMany(
                            Filters.and(
                                    Filters.in(Field.ID, some),
                                    Filters.eq(Field.STATUS, Field.FAILED),
                                    Filters.eq(Field.STATE, Field.RETRY)),
                            Updates.combine(Updates.set(Field.STATUS, Field.PENDING), Updates.unset(Field.WAYBILL)));
        }
    }
}
