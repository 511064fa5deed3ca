package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Utf8;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole records, in order, up to the byte limit of a batch. Their size is unknown beforehand, so the first few decide how
 * many are read at once.
 */
final class WholeRecords {
    private static final int FIRST_STEP = 16;

    private final OutboxCollections outbox;
    private final Limits max;
    private final List<OutboxRecord> whole = new ArrayList<>();
    private final Set<Utf8> changed = new HashSet<>();
    private long bytes;
    private boolean full;

    WholeRecords(OutboxCollections outbox, Limits max) {
        this.outbox = outbox;
        this.max = max;
    }

    List<OutboxRecord> of(List<OutboxRecord> places) {
        int step = FIRST_STEP;
        for (int from = 0; from < places.size() && !full; from += step) {
            step = from == 0 ? FIRST_STEP : nextStep();
            read(places.subList(from, Math.min(places.size(), from + step)));
        }
        return whole;
    }

    private int nextStep() {
        long average = Math.max(1, bytes / Math.max(1, whole.size()));
        return (int) Math.max(1, Math.min(max.events(), (max.bytes() - bytes) / average));
    }

    private void read(List<OutboxRecord> places) {
        List<BsonValue> ids = places.stream().map(OutboxRecord::documentId).toList();
        Map<BsonValue, OutboxRecord> byId = new HashMap<>();
        for (BsonDocument document : outbox.records().find(Filters.in(Field.ID, ids))) {
            OutboxRecord record = new OutboxRecord(document);
            byId.put(record.documentId(), record);
        }
        for (OutboxRecord place : places) {
            add(place, byId.get(place.documentId()));
        }
    }

    /** After a record that did not fit, no more are added: a smaller one of its key could overtake it. */
    private void add(OutboxRecord place, @Nullable OutboxRecord record) {
        if (record == null || changed.contains(place.orderKey())) {
            changed.add(place.orderKey());
            return;
        }
        long size = record.bytes();
        full |= !whole.isEmpty() && bytes + size > max.bytes();
        if (!full) {
            whole.add(record);
            bytes += size;
        }
    }
}
