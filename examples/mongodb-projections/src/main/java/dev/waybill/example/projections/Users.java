package dev.waybill.example.projections;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.mongodb.MongoOutbox;
import dev.waybill.mongodb.MongoSchema;
import dev.waybill.mongodb.MongoTransactions;
import org.bson.Document;

/** Changes users; the user and the record in the outbox are written in one session and transaction. */
final class Users {
    private final MongoTransactions transactions;
    private final MongoCollection<Document> users;
    private final MongoOutbox outbox;

    /** @param version that the user has after the change, so that a request can be repeated */
    record Change(String id, String name, long version) {}

    Users(MongoClient client, MongoDatabase database) {
        MongoSchema.create(database, "outbox");
        transactions = MongoTransactions.on(client);
        users = database.getCollection("users");
        outbox = MongoOutbox.on(database, "outbox");
    }

    /** @return false if the change was made before */
    boolean change(Change change) {
        return transactions.call(session -> {
            if (!update(session, change)) {
                return false;
            }
            String eventId = EventIds.next();
            UserChanged changed =
                    new UserChanged(eventId, UserChanged.TYPE, change.id(), change.version(), change.name());
            outbox.append(
                    session,
                    Event.of(UserChanged.TYPE)
                            .aggregate("user", change.id())
                            .payload(Payload.jsonOf(changed))
                            .id(eventId)
                            .aggregateVersion(change.version())
                            .topic(UserChanged.TOPIC));
            return true;
        });
    }

    private boolean update(ClientSession session, Change change) {
        Document user = users.find(session, Filters.eq("_id", change.id())).first();
        long version = user == null ? 0 : user.getLong("version");
        if (version >= change.version()) {
            return false;
        }
        users.updateOne(
                session,
                Filters.eq("_id", change.id()),
                Updates.combine(Updates.set("name", change.name()), Updates.set("version", change.version())),
                new UpdateOptions().upsert(true));
        return true;
    }
}
