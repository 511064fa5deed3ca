package dev.waybill.mongodb;

import com.mongodb.client.ClientSession;
import dev.waybill.tck.inbox.InboxContract;
import dev.waybill.tck.inbox.InboxHarness;

/** On a real replica set, where {@value MongoWorld#URI_VARIABLE} names one. */
@OnReplicaSet
class MongoReplicaSetInboxContractTest extends InboxContract<ClientSession> {
    @Override
    protected InboxHarness<ClientSession> newInbox() {
        return new MongoInboxHarness(MongoWorld.real());
    }
}
