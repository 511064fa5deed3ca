package dev.waybill.postgres;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import java.util.OptionalInt;

/** The contract of stores. */
class JournalContractTest extends StoreContract {
    private static final JournalDatabase DATABASE = JournalDatabase.create();

    /** There are more than a thousand calls; each run samples others, and the full check makes all of them fail. */
    @Override
    protected OptionalInt sampledFailures() {
        return OptionalInt.of(Integer.getInteger("waybill.sampledFailures", 60));
    }

    @Override
    protected StoreHarness newStore() {
        return new JournalHarness(DATABASE);
    }
}
