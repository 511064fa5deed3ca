package dev.waybill.tck.memory;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;

class InMemoryStoreContractTest extends StoreContract {
    @Override
    protected StoreHarness newStore() {
        return new InMemoryHarness();
    }
}
