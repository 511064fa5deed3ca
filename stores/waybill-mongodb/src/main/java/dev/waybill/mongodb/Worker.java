package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayName;
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
 * One session as the records know it: its name is in their {@code locked_by}. What a session says of a record that is not
 * locked by it changes nothing, so one that was taken over can do no harm.
 *
 * @param relay whose session it is
 * @param name of the session, which begins with the relay's
 */
record Worker(RelayName relay, String name) {
    static Worker of(RelayName relay, long epoch, OwnerId owner) {
        return new Worker(relay, relay + "#" + epoch + " " + owner);
    }

    /** What any session of this relay has out. */
    static Bson anyOf(RelayName relay) {
        return Filters.and(
                Filters.eq(Field.STATUS, Field.PROCESSING),
                Filters.regex(Field.LOCKED_BY, "^" + relay.value().replace(".", "\\.") + "#"));
    }

    /** Of these records those that this session has out. */
    Bson own(Collection<? extends BsonValue> documentIds) {
        return Filters.and(Filters.in(Field.ID, documentIds), own());
    }

    Bson own() {
        return Filters.and(Filters.eq(Field.STATUS, Field.PROCESSING), Filters.eq(Field.LOCKED_BY, name));
    }

    /** What earlier sessions of the relay had out: their lease has ended, so they publish no more. */
    Bson leftBehind() {
        return Filters.and(anyOf(relay), Filters.ne(Field.LOCKED_BY, name));
    }

    /**
     * What other workers have locked for longer than they may. One that says no end has as long as we would take.
     *
     * @param now the server's time
     */
    Bson abandoned(Instant now, Duration lock) {
        return Filters.and(
                Filters.eq(Field.STATUS, Field.PROCESSING),
                Filters.ne(Field.LOCKED_BY, name),
                Filters.or(
                        Filters.lt(Field.LOCKED_UNTIL, new BsonDateTime(now.toEpochMilli())),
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

    /** As they were before they were claimed: waiting for a retry, or pending. */
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
