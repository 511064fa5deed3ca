package dev.waybill.mongodb;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * Parked and dead records. Records behind a parked one are not marked: they are the pending ones of its key. At most {@value #MOST}
 * records of a kind are read.
 */
final class Parking {
    static final int MOST = 100_000;
    /** For this many keys the server can merge the index entries in order. */
    private static final int KEYS_AT_ONCE = 100;

    /** Records that wait for their retry, or are being retried. */
    static final Bson RETRIES =
            Filters.and(Filters.in(Field.STATUS, Field.FAILED, Field.PROCESSING), Filters.eq(Field.STATE, Field.RETRY));

    /** Includes records that another worker failed to publish. */
    static final Bson DEAD = Filters.and(
            Filters.eq(Field.STATUS, Field.FAILED),
            Filters.in(Field.STATE, Arrays.asList(Field.DEAD, Field.HOLDING, null)));

    static final Bson PENDING = Filters.eq(Field.STATUS, Field.PENDING);
    /** Records in flight for the first time. */
    static final Bson OUT =
            Filters.and(Filters.eq(Field.STATUS, Field.PROCESSING), Filters.ne(Field.STATE, Field.RETRY));

    /** Records that later ones of their keys wait for. */
    static final Bson CLOSING = Filters.and(
            Filters.in(Field.STATUS, Field.FAILED, Field.PROCESSING),
            Filters.in(Field.STATE, Field.RETRY, Field.HOLDING));

    private static final Bson HOLDING =
            Filters.and(Filters.eq(Field.STATUS, Field.FAILED), Filters.eq(Field.STATE, Field.HOLDING));

    private final OutboxCollections outbox;

    Parking(OutboxCollections outbox) {
        this.outbox = outbox;
    }

    long count(Bson which, int atMost) {
        return outbox.records().countDocuments(which, new CountOptions().limit(atMost));
    }

    List<OutboxRecord> find(Bson which, int atMost) {
        List<OutboxRecord> found = new ArrayList<>();
        for (BsonDocument document : inOrder(which).limit(atMost)) {
            found.add(new OutboxRecord(document));
        }
        return found;
    }

    private FindIterable<BsonDocument> inOrder(Bson which) {
        return outbox.records().find(which).projection(OutboxRecord.THIN).sort(Field.inOrder());
    }

    Optional<OutboxRecord> oldest(Bson which) {
        return Optional.ofNullable(outbox.records()
                        .find(which)
                        .projection(OutboxRecord.PLACE)
                        .sort(Sorts.ascending(Field.CREATED_AT))
                        .first())
                .map(OutboxRecord::new);
    }

    /** Closed keys among those of these records. */
    Set<Utf8> closedAmong(Collection<OutboxRecord> records) {
        Set<BsonValue> keys = new HashSet<>();
        records.forEach(record -> keys.add(record.partitionKey()));
        Set<Utf8> closed = new HashSet<>();
        if (!keys.isEmpty()) {
            Bson ofTheirKeys = Filters.and(Filters.in(Field.PARTITION_KEY, keys), CLOSING);
            for (BsonDocument document : outbox.records().find(ofTheirKeys).projection(OutboxRecord.PLACE)) {
                closed.add(new OutboxRecord(document).orderKey());
            }
        }
        return closed;
    }

    /** Pending records of the same key after a record. Of the same time there may be any number before it. */
    List<OutboxRecord> behind(OutboxRecord record, int atMost) {
        Bson later = Filters.gte(
                Field.CREATED_AT, new BsonDateTime(record.createdAt().toEpochMilli()));
        Bson ofItsKey = Filters.and(PENDING, Filters.eq(Field.PARTITION_KEY, record.partitionKey()), later);
        List<OutboxRecord> behind = new ArrayList<>();
        try (MongoCursor<BsonDocument> pending = inOrder(ofItsKey).limit(MOST).iterator()) {
            while (behind.size() < atMost && pending.hasNext()) {
                OutboxRecord next = new OutboxRecord(pending.next());
                if (next.orderKey().equals(record.orderKey()) && OutboxRecord.POSITION.compare(next, record) > 0) {
                    behind.add(next);
                }
            }
        }
        return behind;
    }

    /**
     * Ids of those of these records whose turn comes after others of their key: after a pending one, one that is in flight for the
     * first time, or a dead one that holds the key.
     */
    Set<BsonValue> afterOthers(List<OutboxRecord> records) {
        Set<BsonValue> keys = new HashSet<>();
        Instant last = Instant.MIN;
        for (OutboxRecord record : records) {
            keys.add(record.partitionKey());
            last = record.createdAt().isAfter(last) ? record.createdAt() : last;
        }
        Bson ofTheirKeys = Filters.in(Field.PARTITION_KEY, keys);
        Bson upToLast = Filters.lte(Field.CREATED_AT, new BsonDateTime(last.toEpochMilli()));
        Bson others = Filters.or(
                Filters.and(ofTheirKeys, PENDING, upToLast),
                Filters.and(ofTheirKeys, OUT),
                Filters.and(ofTheirKeys, HOLDING));
        Map<Utf8, OutboxRecord> first = new HashMap<>();
        for (BsonDocument document : outbox.records().find(others).projection(OutboxRecord.PLACE)) {
            OutboxRecord other = new OutboxRecord(document);
            first.merge(other.orderKey(), other, BinaryOperator.minBy(OutboxRecord.POSITION));
        }
        return records.stream()
                .filter(record -> first.containsKey(record.orderKey())
                        && OutboxRecord.POSITION.compare(first.get(record.orderKey()), record) < 0)
                .map(OutboxRecord::documentId)
                .collect(Collectors.toSet());
    }

    /** Pending records of closed keys among these. */
    List<OutboxRecord> waiting(Bson among, int atMost) {
        Set<BsonValue> partitionKeys = new LinkedHashSet<>();
        Set<Utf8> closed = new HashSet<>();
        for (OutboxRecord record : find(CLOSING, MOST)) {
            partitionKeys.add(record.partitionKey());
            closed.add(record.orderKey());
        }
        List<OutboxRecord> waiting = new ArrayList<>();
        List<BsonValue> keys = List.copyOf(partitionKeys);
        for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
            List<BsonValue> some = keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE));
            for (OutboxRecord record :
                    find(Filters.and(PENDING, Filters.in(Field.PARTITION_KEY, some), among), atMost)) {
                if (closed.contains(record.orderKey())) {
                    waiting.add(record);
                }
            }
        }
        waiting.sort(OutboxRecord.POSITION);
        return waiting.size() > atMost ? waiting.subList(0, atMost) : waiting;
    }
}
