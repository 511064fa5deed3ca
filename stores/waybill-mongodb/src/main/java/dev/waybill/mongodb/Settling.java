package dev.waybill.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.waybill.spi.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/** Writes the outcomes of records in one bulk: one update for all published ones, one for each failed one. */
final class Settling {
    private static final int LONGEST_ERROR = 2_000;
    private static final int MOST_ATTEMPTS = 5;

    private final Worker worker;
    private final List<BsonValue> published = new ArrayList<>();
    private final List<BsonValue> back = new ArrayList<>();
    private final List<WriteModel<BsonDocument>> writes = new ArrayList<>();
    private final List<OutboxRecord> holding = new ArrayList<>();
    private int records;
    private boolean mayFreeOthers;

    Settling(Worker worker) {
        this.worker = worker;
    }

    void add(OutboxRecord record, Settlement settlement) {
        records++;
        mayFreeOthers |= record.isRetry();
        if (settlement instanceof Settlement.Published) {
            published.add(record.documentId());
        } else if (settlement instanceof Settlement.RetryAt retry) {
            fail(record, retry);
        } else if (settlement instanceof Settlement.Dead dead) {
            int sent = record.attempts() + (dead.sent() ? 1 : 0);
            giveUp(record, dead.error(), sent, dead.holdsKey());
            if (dead.holdsKey()) {
                holding.add(record);
            }
        } else {
            back.add(record.documentId());
            mayFreeOthers = true;
        }
    }

    /** Whether a skipped record may be sent now, or a record is pending again. */
    boolean mayFreeOthers() {
        return mayFreeOthers;
    }

    /** Dead records that hold their keys. */
    List<OutboxRecord> holding() {
        return holding;
    }

    private void fail(OutboxRecord record, Settlement.RetryAt retry) {
        int sent = record.attempts() + (retry.counted() ? 1 : 0);
        write(record, retry.error(), sent, inState(Field.RETRY).append("next_attempt_at", time(retry.at())));
    }

    /** With the maximum of retries, so that other workers do not retry it either. */
    private void giveUp(OutboxRecord record, String error, int sent, boolean holdsKey) {
        BsonDocument ours = inState(holdsKey ? Field.HOLDING : Field.DEAD).append("attempts", new BsonInt32(sent));
        write(record, error, Math.max(sent, record.maxAttempts()), ours);
    }

    static BsonDocument inState(String state) {
        return new BsonDocument("state", new BsonString(state));
    }

    private void write(OutboxRecord record, String error, int retryCount, BsonDocument ours) {
        Bson failed = Updates.combine(
                Updates.set(Field.STATUS, Field.FAILED),
                Updates.set(Field.RETRY_COUNT, retryCount),
                Updates.set(Field.LAST_ERROR, cut(error)),
                Updates.currentDate(Field.LAST_ERROR_AT),
                Updates.set(Field.WAYBILL, ours),
                Worker.unlocked());
        writes.add(new UpdateOneModel<>(worker.own(List.of(record.documentId())), failed));
    }

    private static BsonDateTime time(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }

    /** Truncates between characters. */
    static String cut(String error) {
        return cut(error, LONGEST_ERROR);
    }

    static String cut(String error, int longest) {
        if (error.length() <= longest) {
            return error;
        }
        int end = longest - 1;
        return error.substring(0, Character.isHighSurrogate(error.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    /**
     * Retries while another transaction holds a short lock: written records no longer belong to this session, so the same update can
     * be repeated.
     *
     * @return number of records that no longer belonged to this session and were left unchanged
     */
    int writeTo(OutboxCollections outbox) {
        if (!published.isEmpty()) {
            writes.add(new UpdateManyModel<>(
                    worker.own(published),
                    Updates.combine(
                            Updates.set(Field.STATUS, Field.PUBLISHED),
                            Updates.currentDate(Field.PUBLISHED_AT),
                            Updates.unset(Field.WAYBILL),
                            Worker.unlocked())));
        }
        if (!back.isEmpty()) {
            writes.addAll(Worker.givingBack(worker.own(back)));
        }
        if (writes.isEmpty()) {
            return 0;
        }
        BulkWriteOptions anyOrder = new BulkWriteOptions().ordered(false);
        int written = 0;
        for (int attempt = 1; ; attempt++) {
            try {
                return records
                        - written
                        - outbox.records().bulkWrite(writes, anyOrder).getMatchedCount();
            } catch (MongoException e) {
                if (attempt == MOST_ATTEMPTS || MongoFailure.of(e) != MongoFailure.CONFLICT) {
                    throw e;
                }
                written += e instanceof MongoBulkWriteException bulk
                        ? bulk.getWriteResult().getMatchedCount()
                        : 0;
            }
        }
    }
}
