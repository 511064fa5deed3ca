package dev.waybill.tck.inbox;

import dev.waybill.tck.memory.InMemoryInbox;

class InMemoryInboxFaultTest extends InboxFaultContract<InMemoryInbox.Transaction> {
    @Override
    protected InboxFaultHarness<InMemoryInbox.Transaction> newInbox() {
        return new FaultyMemoryInbox(FaultyMemoryInbox.Bug.NONE);
    }
}
