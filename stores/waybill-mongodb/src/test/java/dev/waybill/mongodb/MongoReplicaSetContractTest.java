package dev.waybill.mongodb;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;

/** The whole contract on a real replica set, where {@value MongoWorld#URI_VARIABLE} names one. */
@OnReplicaSet
class MongoReplicaSetContractTest extends StoreContract {
    @Override
    protected StoreHarness newStore() {
        return new MongoHarness(MongoWorld.real());
    }
}
