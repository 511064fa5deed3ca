package dev.waybill.tck.memory;

import dev.waybill.tck.ReplayContract;
import dev.waybill.tck.ReplayHarness;

class InMemoryReplayContractTest extends ReplayContract {
    @Override
    protected ReplayHarness newStore() {
        return new InMemoryHarness();
    }
}
