package dev.waybill.jdbc;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;

/** The journal is a store. */
class JournalContractTest extends StoreContract {
    private static final JournalDatabase DATABASE = JournalDatabase.create();

    @Override
    protected StoreHarness newStore() {
        return new JournalHarness(DATABASE);
    }
}
