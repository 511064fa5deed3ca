package dev.waybill.tck.memory;

import dev.waybill.Inbox;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * An in-memory inbox for tests, with its transactions. Effects are passed to {@link Transaction#onCommit}.
 * Safe for use by many threads.
 */
public final class InMemoryInbox implements Inbox<InMemoryInbox.Transaction>, Transactions<InMemoryInbox.Transaction> {
    private final Map<Key, Transaction> handled = new HashMap<>();
    private final Map<Key, Version> versions = new HashMap<>();

    private record Key(String consumer, String what) {}

    /** The last version seen of an entity, and the transaction that wrote it. */
    private record Version(long number, Transaction by) {}

    /** A transaction whose effects happen when it commits. For one thread. */
    public final class Transaction implements AutoCloseable {
        private final List<Runnable> effects = new ArrayList<>();
        private final List<Runnable> takeBacks = new ArrayList<>();
        private boolean ended;

        private Transaction() {}

        public void onCommit(Runnable effect) {
            effects.add(effect);
        }

        public void commit() {
            end(effects);
        }

        /** Does nothing if the transaction has ended. */
        public void rollback() {
            end(takeBacks);
        }

        @Override
        public void close() {
            rollback();
        }

        private void end(List<Runnable> actions) {
            synchronized (InMemoryInbox.this) {
                if (!ended) {
                    ended = true;
                    actions.forEach(Runnable::run);
                    InMemoryInbox.this.notifyAll();
                }
            }
        }
    }

    public Transaction begin() {
        return new Transaction();
    }

    @Override
    public <R, E extends Exception> R call(Work<Transaction, R, E> work) throws E {
        try (Transaction transaction = begin()) {
            R result = work.in(transaction);
            transaction.commit();
            return result;
        }
    }

    @Override
    public <E extends Exception> Outcome handleOnce(
            Transaction transaction, String consumer, Incoming event, Effect<Transaction, E> effect) throws E {
        Outcome outcome;
        synchronized (this) {
            if (!record(transaction, new Key(consumer, event.eventId()))) {
                return Outcome.DUPLICATE;
            }
            outcome = event.version()
                    .map(version -> advance(transaction, consumer, version))
                    .orElse(Outcome.HANDLED);
        }
        if (outcome instanceof Outcome.Handled) {
            effect.apply(transaction);
        }
        return outcome;
    }

    private boolean record(Transaction transaction, Key key) {
        awaitOther(transaction, () -> Optional.ofNullable(handled.get(key)));
        if (handled.putIfAbsent(key, transaction) != null) {
            return false;
        }
        transaction.takeBacks.add(0, () -> handled.remove(key));
        return true;
    }

    private Outcome advance(Transaction transaction, String consumer, EntityVersion version) {
        Key key = new Key(consumer, version.entity());
        awaitOther(transaction, () -> Optional.ofNullable(versions.get(key)).map(Version::by));
        Optional<Version> last = Optional.ofNullable(versions.get(key));
        OptionalLong lastSeen = last.map(seen -> OptionalLong.of(seen.number())).orElse(OptionalLong.empty());
        Outcome outcome = Outcome.ofVersion(lastSeen, version.version());
        if (outcome instanceof Outcome.Handled) {
            versions.put(key, new Version(version.version(), transaction));
            transaction.takeBacks.add(
                    0, () -> last.ifPresentOrElse(before -> versions.put(key, before), () -> versions.remove(key)));
        }
        return outcome;
    }

    /** Waits, as a database does, until the transaction that wrote the entry has committed or rolled back. */
    private void awaitOther(Transaction own, Supplier<Optional<Transaction>> writer) {
        try {
            while (writer.get().filter(by -> by != own && !by.ended).isPresent()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InboxException("Interrupted while another transaction was at work on the same event.", e);
        }
    }
}
