package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.support.LeaseBound;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * A session as the owner of record locks: its name is in {@code locked_by}. A session can change only records that it has locked,
 * so one that was taken over has no effect.
 *
 * @param relay of the session
 * @param name of the session, which begins with the relay's
 */
record Worker(RelayName relay, String name) {
    static Worker of(RelayName relay, long epoch, OwnerId owner) {
        return new Worker(relay, relay + "#" + epoch + " " + owner);
    }

    /** Records in flight of any session of this relay. */
    static Bson anyOf(RelayName relay) {
        return Filters.and(
                Filters.eq(Field.STATUS, Field.PROCESSING),
                Filters.regex(Field.LOCKED_BY, "^" + relay.value().replace(".", "\\.") + "#"));
    }

    /** The given records that this session has in flight. */
    Bson own(Collection<? extends BsonValue> documentIds) {
        return Filters.and(Filters.in(Field.ID, documentIds), own());
    }

    Bson own() {
        return Filters.and(Filters.eq(Field.STATUS, Field.PROCESSING), Filters.eq(Field.LOCKED_BY, name));
    }

    /** Records in flight of earlier sessions of the relay: their lease has ended, so they publish nothing more. */
    Bson leftBehind() {
        return Filters.and(anyOf(relay), Filters.ne(Field.LOCKED_BY, name));
    }

    /**
     * Expired locks of other workers, whose clocks may differ. A lock without an end lasts as long as one of this session. One that
     * begins after {@link LeaseBound} was taken before a clock was set back.
     *
     * @param now the server's time
     */
    Bson abandoned(Instant now, Duration lock) {
        return Filters.and(
                Filters.eq(Field.STATUS, Field.PROCESSING),
                Filters.ne(Field.LOCKED_BY, name),
                Filters.or(
                        Filters.lt(Field.LOCKED_UNTIL, new BsonDateTime(now.toEpochMilli())),
                        Filters.gt(
                                Field.PROCESSING_STARTED_AT,
                                new BsonDateTime(now.plus(LeaseBound.of(lock)).toEpochMilli())),
                        Filters.and(
                                Filters.eq(Field.LOCKED_UNTIL, null),
                                Filters.not(Filters.gte(
                                        Field.PROCESSING_STARTED_AT,
                                        new BsonDateTime(now.minus(lock).toEpochMilli()))))));
    }

    Bson locking(Instant until, Instant now) {
        return Updates.combine(
                Updates.set(Field.STATUS, Field.PROCESSING),
                Updates.set(Field.LOCKED_BY, name),
                Updates.set(Field.LOCKED_UNTIL, new BsonDateTime(until.toEpochMilli())),
                Updates.set(Field.PROCESSING_STARTED_AT, new BsonDateTime(now.toEpochMilli())));
    }

    /** Restores the state before the claim: waiting for a retry, or pending. */
    static List<WriteModel<BsonDocument>> givingBack(Bson which) {
        List<WriteModel<BsonDocument>> writes = new ArrayList<>();
        for (boolean retry : new boolean[] {true, false}) {
            writes.add(new UpdateManyModel<>(
                    Filters.and(
                            which, retry ? Filters.eq(Field.STATE, Field.RETRY) : Filters.ne(Field.STATE, Field.RETRY)),
                    Updates.combine(Updates.set(Field.STATUS, retry ? Field.FAILED : Field.PENDING), unlocked())));
        }
        return writes;
    }

    static Bson unlocked() {
        return Updates.combine(Updates.set(Field.LOCKED_BY, null), Updates.set(Field.LOCKED_UNTIL, null));
    }
}
