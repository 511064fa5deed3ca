package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.waybill.spi.StoreException;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/**
 * The collections of one outbox. Reads and writes use majority concern: an event that a failover could still
 * roll back is not published, and a lease that it could roll back does not count.
 *
 * @param name of the outbox's own collection
 */
record OutboxCollections(
        MongoDatabase database,
        String name,
        MongoCollection<BsonDocument> records,
        MongoCollection<BsonDocument> relays,
        MongoCollection<BsonDocument> audit) {
    static final String RELAYS = "waybill_relay";
    static final String AUDIT = "waybill_audit";

    static OutboxCollections of(MongoDatabase database, String name) {
        MongoDatabase safe = database.withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(WriteConcern.MAJORITY);
        return new OutboxCollections(
                safe,
                name,
                safe.getCollection(name, BsonDocument.class),
                safe.getCollection(RELAYS, BsonDocument.class),
                safe.getCollection(AUDIT, BsonDocument.class));
    }

    /** Runs an operation, and names it when the server fails. */
    <R> R doing(String what, Supplier<R> work) {
        try {
            return work.get();
        } catch (MongoException e) {
            MongoException safe = MongoFailure.withoutValues(e);
            throw new StoreException(
                    "MongoDB failed while " + what + " (collection " + records.getNamespace() + ": " + safe.getMessage()
                            + "). Events that were not settled are sent again by a new session.",
                    safe);
        }
    }
}
