package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * Takes over records that other workers failed to publish: they are retried while they have retries left, and are dead after that.
 * Examined records are marked, so that dead ones are not examined again.
 */
final class Adoption {
    private static final int STEP = 1_000;
    /** Records that other workers failed to publish and that no relay has examined. */
    static final Bson OF_OTHERS = Filters.and(Filters.eq(Field.STATUS, Field.FAILED), Filters.eq(Field.STATE, null));

    private static final Bson HAS_RETRIES = Filters.expr(BsonDocument.parse("{$lt: ['$" + Field.RETRY_COUNT
            + "', {$ifNull: ['$" + Field.MAX_RETRIES + "', " + Field.DEFAULT_MAX_RETRIES + "]}]}"));

    private Adoption() {}

    /** @return whether there may be more */
    static boolean step(OutboxCollections outbox) {
        List<BsonValue> ids = new ArrayList<>();
        for (BsonDocument found : outbox.records()
                .find(OF_OTHERS)
                .projection(Projections.include(Field.ID))
                .limit(STEP)) {
            ids.add(found.get(Field.ID));
        }
        if (!ids.isEmpty()) {
            Bson these = Filters.and(Filters.in(Field.ID, ids), OF_OTHERS);
            outbox.records()
                    .bulkWrite(List.of(
                            new UpdateManyModel<>(
                                    Filters.and(these, HAS_RETRIES),
                                    Updates.combine(
                                            Updates.set(Field.STATUS, Field.PENDING), Updates.unset(Field.WAYBILL))),
                            new UpdateManyModel<>(these, Updates.set(Field.WAYBILL, Settling.inState(Field.DEAD)))));
        }
        return ids.size() == STEP;
    }
}
