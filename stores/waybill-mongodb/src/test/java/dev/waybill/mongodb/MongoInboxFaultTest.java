package dev.waybill.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.waybill.Inbox;
import dev.waybill.Transactions;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.inbox.InboxFaultContract;
import dev.waybill.tck.inbox.InboxFaultHarness;
import java.util.List;
import org.bson.Document;

/** Every command of an inbox in MongoDB fails in turn; here on the in-memory server with its stand-in for transactions. */
class MongoInboxFaultTest extends InboxFaultContract<ClientSession> {
    @Override
    protected InboxFaultHarness<ClientSession> newInbox() {
        return new Harness(MongoWorld.inMemory());
    }

    private static final class Harness implements InboxFaultHarness<ClientSession> {
        private final MongoWorld world;
        private final MongoInbox inbox;
        private final MongoCollection<Document> effects;

        Harness(MongoWorld world) {
            this.world = world;
            this.inbox = MongoInbox.on(world.database());
            this.effects = world.database().getCollection("effects");
            inbox.create();
            world.database().createCollection("effects");
        }

        @Override
        public Inbox<ClientSession> inbox() {
            return inbox;
        }

        @Override
        public Transactions<ClientSession> transactions() {
            return MongoTransactions.on(world.client());
        }

        @Override
        public void leaveEffect(ClientSession transaction, String name) {
            effects.insertOne(transaction, new Document("name", name));
        }

        @Override
        public int effects(String name) {
            return (int) world.unfailingDatabase().getCollection("effects").countDocuments(Filters.eq("name", name));
        }

        @Override
        public FaultInjection faults() {
            return world.faults();
        }

        @Override
        public List<String> leftovers() {
            return List.of();
        }

        @Override
        public boolean keepsEffectsTogether() {
            return true;
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
        public void giveUpTheDead() {
            throw new AssertionError("Nobody waits for the dead: a transaction that is left behind is ended.");
        }

        @Override
        public void makeOld() {
            throw new AssertionError("The server forgets by itself.");
        }

        @Override
        public void close() {
            world.close();
        }
    }
}
