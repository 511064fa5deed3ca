package dev.waybill.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.waybill.Inbox;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.tck.inbox.InboxHarness;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/** An empty inbox in MongoDB, and a collection of effects beside it. */
final class MongoInboxHarness implements InboxHarness<ClientSession> {
    private final MongoWorld world;
    private final MongoInbox inbox;
    private final MongoCollection<Document> effects;

    MongoInboxHarness(MongoWorld world) {
        this.world = world;
        this.inbox = MongoInbox.on(world.database());
        this.effects = world.database().getCollection("effects");
        inbox.create();
        world.database().createCollection("effects");
    }

    /** In MongoDB a transaction does not wait for another: after a conflict it is repeated, as in the consumer runtime. */
    @Override
    public Inbox<ClientSession> inbox() {
        return new Inbox<>() {
            @Override
            public <E extends Exception> Outcome handleOnce(
                    ClientSession session, String consumer, Incoming event, Effect<ClientSession, E> effect) throws E {
                for (int attempt = 0; ; attempt++) {
                    try {
                        return inbox.handleOnce(session, consumer, event, effect);
                    } catch (InboxException e) {
                        if (MongoFailure.of(e) != MongoFailure.CONFLICT || attempt == 5_000) {
                            throw e;
                        }
                        rollback(session);
                        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                        session.startTransaction();
                    }
                }
            }
        };
    }

    @Override
    public ClientSession begin() {
        ClientSession session = world.client().startSession();
        session.startTransaction();
        return session;
    }

    @Override
    public void leaveEffect(ClientSession transaction, String name) {
        effects.insertOne(transaction, new Document("name", name));
    }

    @Override
    public void commit(ClientSession transaction) {
        transaction.commitTransaction();
    }

    @Override
    public void rollback(ClientSession transaction) {
        if (transaction.hasActiveTransaction()) {
            transaction.abortTransaction();
        }
    }

    @Override
    public void startOver(ClientSession transaction) {
        transaction.abortTransaction();
        transaction.startTransaction();
    }

    @Override
    public int effects(String name) {
        return (int) effects.countDocuments(Filters.eq("name", name));
    }

    @Override
    public boolean takesSeveralConsumers() {
        return true;
    }

    @Override
    public boolean guardsVersions() {
        return true;
    }

    @Override
    public void close() {
        world.close();
    }
}
