package dev.waybill.tck.inbox;

import dev.waybill.Inbox;
import dev.waybill.tck.memory.InMemoryInbox;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

class InMemoryInboxContractTest extends InboxContract<InMemoryInbox.Transaction> {
    @Override
    protected InboxHarness<InMemoryInbox.Transaction> newInbox() {
        return new Harness();
    }

    private static final class Harness implements InboxHarness<InMemoryInbox.Transaction> {
        private final InMemoryInbox inbox = new InMemoryInbox();
        private final ConcurrentMap<String, Integer> effects = new ConcurrentHashMap<>();

        @Override
        public Inbox<InMemoryInbox.Transaction> inbox() {
            return inbox;
        }

        @Override
        public InMemoryInbox.Transaction begin() {
            return inbox.begin();
        }

        @Override
        public void leaveEffect(InMemoryInbox.Transaction transaction, String name) {
            transaction.onCommit(() -> effects.merge(name, 1, Integer::sum));
        }

        @Override
        public void commit(InMemoryInbox.Transaction transaction) {
            transaction.commit();
        }

        @Override
        public void rollback(InMemoryInbox.Transaction transaction) {
            transaction.rollback();
        }

        @Override
        public void startOver(InMemoryInbox.Transaction transaction) {
            transaction.rollback();
        }

        @Override
        public int effects(String name) {
            return effects.getOrDefault(name, 0);
        }

        @Override
        public boolean takesSeveralConsumers() {
            return true;
        }

        @Override
        public boolean guardsVersions() {
            return true;
        }

        @Override
        public void close() {}
    }
}
