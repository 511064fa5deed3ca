package dev.waybill.inbox;

import dev.waybill.tck.source.DeadLetterHarness;

class InMemoryFailingCallsTest extends FailingConsumerContract {
    @Override
    protected DeadLetterHarness newBroker() {
        return new InMemoryBroker();
    }

    @Override
    protected int sample() {
        return 80;
    }
}
