package dev.waybill.mongodb;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** The indexes of an outbox collection. Collections are created with their first document. */
public final class MongoSchema {
    private static final BsonDocument EVENT_ID = new BsonDocument(Field.EVENT_ID, new BsonInt32(1));

    private MongoSchema() {}

    /** Creates missing indexes; others are left unchanged. */
    public static void create(MongoDatabase database, String collection) {
        OutboxCollections outbox = OutboxCollections.of(database, collection);
        outbox.doing("creating the indexes", () -> {
            outbox.records().createIndexes(indexes());
            return outbox.audit().createIndex(Indexes.descending("outbox", "at", Field.ID));
        });
    }

    /**
     * The indexes of the documented collection, and four more: records of a key in order, records that close a key, records of a
     * state in order, and due retries. Indexes of rare fields are partial.
     */
    private static List<IndexModel> indexes() {
        return List.of(
                new IndexModel(EVENT_ID, new IndexOptions().unique(true)),
                new IndexModel(Indexes.ascending(Field.STATUS, Field.CREATED_AT)),
                new IndexModel(Indexes.ascending(Field.STATUS, Field.PUBLISHED_AT)),
                new IndexModel(Indexes.ascending(Field.LOCKED_UNTIL)),
                new IndexModel(Indexes.ascending(Field.ENTITY_ID, Field.ENTITY_VERSION)),
                new IndexModel(Indexes.ascending(
                        Field.PARTITION_KEY,
                        Field.STATUS,
                        Field.CREATED_AT,
                        Field.ENTITY_VERSION,
                        Field.APPENDED_AT,
                        Field.ID)),
                new IndexModel(Indexes.ascending(Field.PARTITION_KEY, Field.STATUS, Field.STATE), only(Field.STATE)),
                new IndexModel(Indexes.ascending(
                        Field.STATUS,
                        Field.STATE,
                        Field.CREATED_AT,
                        Field.ENTITY_VERSION,
                        Field.APPENDED_AT,
                        Field.ID)),
                new IndexModel(Indexes.ascending(Field.STATUS, Field.NEXT_ATTEMPT_AT), only(Field.NEXT_ATTEMPT_AT)));
    }

    private static IndexOptions only(String field) {
        return new IndexOptions().partialFilterExpression(Filters.exists(field));
    }

    /** Keys of missing indexes, for messages; empty if all are there. */
    public static List<String> missing(MongoDatabase database, String collection) {
        OutboxCollections outbox = OutboxCollections.of(database, collection);
        return outbox.doing("reading the indexes", () -> missing(outbox));
    }

    static List<String> missing(OutboxCollections outbox) {
        Set<BsonDocument> there = new HashSet<>();
        for (BsonDocument index : outbox.records().listIndexes(BsonDocument.class)) {
            there.add(index.getDocument("key"));
        }
        return indexes().stream()
                .map(index -> index.getKeys().toBsonDocument())
                .filter(keys -> !there.contains(keys))
                .map(keys -> "(" + String.join(", ", keys.keySet()) + ")")
                .toList();
    }

    static boolean hasUniqueEventIds(OutboxCollections outbox) {
        for (BsonDocument index : outbox.records().listIndexes(BsonDocument.class)) {
            if (index.getDocument("key").keySet().equals(EVENT_ID.keySet())
                    && index.getBoolean("unique", BsonBoolean.FALSE).getValue()) {
                return true;
            }
        }
        return false;
    }
}
