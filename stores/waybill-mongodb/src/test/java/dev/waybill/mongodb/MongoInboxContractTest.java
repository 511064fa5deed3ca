package dev.waybill.mongodb;

import com.mongodb.client.ClientSession;
import dev.waybill.tck.inbox.InboxContract;
import dev.waybill.tck.inbox.InboxHarness;

/** On the in-memory server, whose transactions are our own stand-in. */
class MongoInboxContractTest extends InboxContract<ClientSession> {
    @Override
    protected InboxHarness<ClientSession> newInbox() {
        return new MongoInboxHarness(MongoWorld.inMemory());
    }
}
