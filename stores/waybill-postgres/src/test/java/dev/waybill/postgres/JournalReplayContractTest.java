package dev.waybill.postgres;

import dev.waybill.tck.ReplayContract;
import dev.waybill.tck.ReplayHarness;

/** The contract of replays. */
class JournalReplayContractTest extends ReplayContract {
    private static final JournalDatabase DATABASE = JournalDatabase.create();

    @Override
    protected ReplayHarness newStore() {
        return new JournalHarness(DATABASE);
    }
}
