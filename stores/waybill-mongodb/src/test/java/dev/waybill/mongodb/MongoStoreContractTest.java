package dev.waybill.mongodb;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import java.util.OptionalInt;

/** An outbox in MongoDB is a store; here on the in-memory server, whose transactions are our own stand-in. */
class MongoStoreContractTest extends StoreContract {
    @Override
    protected OptionalInt sampledFailures() {
        return OptionalInt.of(120);
    }

    @Override
    protected StoreHarness newStore() {
        return new MongoHarness(MongoWorld.inMemory());
    }
}
