package dev.waybill.postgres;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import java.util.OptionalInt;

/** The journal is a store. */
class JournalContractTest extends StoreContract {
    private static final JournalDatabase DATABASE = JournalDatabase.create();

    /** There are more than a thousand calls. */
    @Override
    protected OptionalInt sampledFailures() {
        return OptionalInt.of(Integer.getInteger("waybill.sampledFailures", 300));
    }

    @Override
    protected StoreHarness newStore() {
        return new JournalHarness(DATABASE);
    }
}
