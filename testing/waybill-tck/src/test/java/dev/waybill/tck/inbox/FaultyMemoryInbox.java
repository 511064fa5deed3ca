package dev.waybill.tck.inbox;

import dev.waybill.Inbox;
import dev.waybill.Incoming;
import dev.waybill.Transactions;
import dev.waybill.spi.TransactionsUnavailableException;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.faults.InjectedError;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryInbox.Transaction;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The in-memory inbox, whose records, effects, begins and commits can be made to fail; with or without a bug. */
final class FaultyMemoryInbox implements InboxFaultHarness<Transaction> {
    /** Mistakes that an implementation may make. */
    enum Bug {
        NONE,
        AN_ERROR_COMMITS,
        A_COMMIT_THAT_FAILED_IS_NOT_TOLD,
        RECORDS_ARE_KEPT_WHEN_EFFECTS_ARE_NOT,
        NOTHING_IS_RECORDED,
        OUTAGES_LOOK_LIKE_FAILURES,
        CONNECTIONS_LEAK
    }

    private static final Set<Failure> WAYS = Set.copyOf(
            EnumSet.of(Failure.BEFORE, Failure.REPLY_LOST, Failure.ERROR, Failure.ERROR_AFTER, Failure.ERROR_TWICE));

    private final Bug bug;
    private final InMemoryInbox real = new InMemoryInbox();
    private final ConcurrentMap<String, Integer> effects = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final Faults faults = new Faults();

    FaultyMemoryInbox(Bug bug) {
        this.bug = bug;
    }

    private void counted(String call, Runnable work) {
        Optional<Failure> failure = faults.next(call);
        boolean takesEffect =
                failure.isEmpty() || failure.get() == Failure.REPLY_LOST || failure.get() == Failure.ERROR_AFTER;
        if (takesEffect) {
            work.run();
        }
        if (failure.isPresent()) {
            fail(failure.get(), call);
        }
    }

    private void fail(Failure how, String call) {
        if (how == Failure.BEFORE || how == Failure.REPLY_LOST) {
            throw bug == Bug.OUTAGES_LOOK_LIKE_FAILURES
                    ? new IllegalStateException("injected: " + call)
                    : new TransactionsUnavailableException("injected: " + call, new IOException());
        }
        throw new InjectedError(call);
    }

    @Override
    public Inbox<Transaction> inbox() {
        return new Inbox<>() {
            @Override
            public <E extends Exception> Outcome handleOnce(
                    Transaction transaction, String consumer, Incoming event, Effect<Transaction, E> effect) throws E {
                if (bug == Bug.NOTHING_IS_RECORDED) {
                    counted("record", () -> {});
                    effect.apply(transaction);
                    return Outcome.HANDLED;
                }
                Outcome[] outcome = new Outcome[1];
                counted("record", () -> outcome[0] = record(transaction, consumer, event));
                if (outcome[0] instanceof Outcome.Handled) {
                    effect.apply(transaction);
                }
                return outcome[0];
            }
        };
    }

    private Inbox.Outcome record(Transaction transaction, String consumer, Incoming event) {
        if (bug == Bug.RECORDS_ARE_KEPT_WHEN_EFFECTS_ARE_NOT) {
            return real.call(own -> real.handleOnce(own, consumer, event, nothing -> {}));
        }
        return real.handleOnce(transaction, consumer, event, nothing -> {});
    }

    @Override
    public Transactions<Transaction> transactions() {
        return new Transactions<>() {
            @Override
            public <R, E extends Exception> R call(Work<Transaction, R, E> work) throws E {
                counted("begin", () -> {});
                open.incrementAndGet();
                Transaction transaction = real.begin();
                boolean ended = false;
                try {
                    R result = work.in(transaction);
                    commit(transaction);
                    ended = true;
                    return result;
                } catch (Error e) {
                    if (bug == Bug.AN_ERROR_COMMITS) {
                        transaction.commit();
                    }
                    throw e;
                } finally {
                    transaction.rollback();
                    if (ended || bug != Bug.CONNECTIONS_LEAK) {
                        open.decrementAndGet();
                    }
                }
            }
        };
    }

    private void commit(Transaction transaction) {
        try {
            counted("commit", transaction::commit);
        } catch (TransactionsUnavailableException e) {
            if (bug != Bug.A_COMMIT_THAT_FAILED_IS_NOT_TOLD) {
                throw e;
            }
        }
    }

    @Override
    public void leaveEffect(Transaction transaction, String name) {
        counted("effect", () -> transaction.onCommit(() -> effects.merge(name, 1, Integer::sum)));
    }

    @Override
    public int effects(String name) {
        return effects.getOrDefault(name, 0);
    }

    @Override
    public FaultInjection faults() {
        return new FaultInjection() {
            @Override
            public Faults faults() {
                return faults;
            }

            @Override
            public Set<Failure> ways() {
                return bug == Bug.NONE ? EnumSet.of(Failure.STALL, WAYS.toArray(Failure[]::new)) : WAYS;
            }

            @Override
            public int openConnections() {
                return open.get();
            }
        };
    }

    @Override
    public List<String> leftovers() {
        return List.of();
    }

    @Override
    public boolean keepsEffectsTogether() {
        return true;
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
    public void giveUpTheDead() {}

    @Override
    public void makeOld() {}

    @Override
    public void close() {}
}
