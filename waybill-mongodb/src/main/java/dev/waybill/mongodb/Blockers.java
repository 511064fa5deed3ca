package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.waybill.spi.Utf8;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * Records that close their keys: those that wait for a retry or are being sent again, those that are dead and hold their key,
 * and those that another worker has locked. What this session is sending for the first time closes nothing, since later ones
 * of its key may go out behind it.
 *
 * <p>They are looked for after the records themselves were read, and so are pending ones that the reading missed: a scan sees
 * what is committed when it comes by, so it may have passed where an event was about to appear and yet meet a later one of
 * its key. Whoever sees the later one sees the earlier, too, from then on; this second look does.
 */
final class Blockers {
    /** Without payload and headers. */
    static final Bson THIN = Projections.exclude(Field.PAYLOAD, Field.HEADERS);

    private final Worker worker;
    private final Set<BsonValue> known;
    private final Map<Utf8, List<OutboxRecord>> byKey = new HashMap<>();

    /** @param known pending records that are to be claimed, which close nothing */
    private Blockers(Worker worker, Set<BsonValue> known) {
        this.worker = worker;
        this.known = known;
    }

    /** Those that may stand before retries. */
    static Blockers ofRetries(OutboxCollections outbox, List<OutboxRecord> retries, Worker worker) {
        Blockers blockers = new Blockers(worker, Set.of());
        blockers.read(outbox, retries, Filters.in(Field.STATUS, Field.FAILED, Field.PROCESSING));
        return blockers;
    }

    /**
     * Those of pending records.
     *
     * @param pending in order
     * @param chosen others that are to be claimed before them
     */
    static Blockers ofPending(
            OutboxCollections outbox, List<OutboxRecord> pending, List<OutboxRecord> chosen, Worker worker) {
        Set<BsonValue> known = new HashSet<>();
        Stream.concat(pending.stream(), chosen.stream()).forEach(record -> known.add(record.documentId()));
        BsonDateTime last =
                new BsonDateTime(pending.get(pending.size() - 1).createdAt().toEpochMilli());
        Blockers blockers = new Blockers(worker, known);
        blockers.read(
                outbox,
                pending,
                Filters.or(
                        Filters.in(Field.STATUS, Field.FAILED, Field.PROCESSING),
                        Filters.and(Filters.eq(Field.STATUS, Field.PENDING), Filters.lte(Field.CREATED_AT, last))));
        return blockers;
    }

    private void read(OutboxCollections outbox, List<OutboxRecord> records, Bson which) {
        Set<BsonValue> keys = new HashSet<>();
        records.forEach(record -> keys.add(record.partitionKey()));
        if (keys.isEmpty()) {
            return;
        }
        Bson ofTheirKeys = Filters.and(Filters.in(Field.PARTITION_KEY, keys), which);
        for (BsonDocument document : outbox.records().find(ofTheirKeys).projection(THIN)) {
            OutboxRecord record = new OutboxRecord(document);
            if (closesKey(record)) {
                byKey.computeIfAbsent(record.orderKey(), key -> new ArrayList<>())
                        .add(record);
            }
        }
    }

    private boolean closesKey(OutboxRecord record) {
        return switch (record.status()) {
            case Field.PENDING -> !known.contains(record.documentId());
            case Field.PROCESSING -> record.isRetry() || !record.isLockedBy(worker.name());
            default -> record.isRetry() || record.holdsKey();
        };
    }

    /** Whether a pending record has to wait: for one of its key that waits itself, or for a pending one before it. */
    boolean close(OutboxRecord pending) {
        return byKey.getOrDefault(pending.orderKey(), List.of()).stream()
                .anyMatch(other -> !other.status().equals(Field.PENDING) || isBefore(other, pending));
    }

    /** Whether the reading missed some, so that it has to begin anew. */
    boolean missedSome() {
        return byKey.values().stream()
                .flatMap(List::stream)
                .anyMatch(record -> record.status().equals(Field.PENDING));
    }

    /** Whether one of its key stands before it. */
    boolean standBefore(OutboxRecord retry) {
        return byKey.getOrDefault(retry.orderKey(), List.of()).stream().anyMatch(other -> isBefore(other, retry));
    }

    private static boolean isBefore(OutboxRecord one, OutboxRecord other) {
        return OutboxRecord.POSITION.compare(one, other) < 0;
    }
}
