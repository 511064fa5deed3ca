package dev.waybill.tck.source;

import dev.waybill.Inbox;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.Transactions;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.faults.HostileException;
import dev.waybill.tck.faults.InjectedError;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The parts of a consumer with calls that may fail: to its source, its transactions, its inbox, its handler, and the
 * dead letters. It covers failures that do not occur on the network: an Error, an exception whose methods throw, an
 * effect whose answer is lost.
 */
public final class FaultyParts {
    /** A consumer polls endlessly; only this number of polls of a subscription are counted. */
    private static final int POLLS_COUNTED = 4;

    private final Faults faults;

    public FaultyParts(Faults faults) {
        this.faults = faults;
    }

    /** A call that may fail. */
    public interface Call<R, E extends Exception> {
        R make() throws E;
    }

    /** The exception of a call that fails without an Error. */
    public interface Thrown<E extends Exception> {
        E when(Failure how);
    }

    /** Makes the call, or fails instead of or after it. */
    public <R, E extends Exception> R call(String what, Call<R, E> real, Thrown<E> thrown) throws E {
        Optional<Failure> failure = faults.next(what);
        if (failure.isEmpty()) {
            return real.make();
        }
        Failure how = failure.get();
        if (how == Failure.REPLY_LOST || how == Failure.ERROR_AFTER) {
            real.make();
        }
        switch (how) {
            case ERROR, ERROR_AFTER, ERROR_TWICE -> throw new InjectedError(what);
            case HOSTILE_EXCEPTION -> throw new HostileException();
            case BEFORE,
                    REPLY_LOST,
                    DISCONNECTED,
                    LOCK_TIMEOUT,
                    STATEMENT_TIMEOUT,
                    SERIALIZATION_CONFLICT,
                    DISK_FULL,
                    READ_ONLY,
                    STALL -> throw thrown.when(how);
        }
        throw new IllegalStateException("No such failure: " + how);
    }

    private void run(String what, Runnable real) {
        Call<Boolean, RuntimeException> call = () -> {
            real.run();
            return true;
        };
        call(what, call, FaultyParts::ofTheBroker);
    }

    private static RuntimeException ofTheBroker(Failure how) {
        return new SourceException("injected: " + how + ".", new IllegalStateException());
    }

    /** The database's error, as thrown by the transactions or the inbox. */
    private static RuntimeException ofTheDatabase(Failure how) {
        Throwable cause = new IllegalStateException("injected: " + how);
        return switch (how) {
            case LOCK_TIMEOUT, SERIALIZATION_CONFLICT -> new TransactionConflictException("injected: " + how, cause);
            case STATEMENT_TIMEOUT -> new InboxException("injected: " + how, cause);
            case BEFORE,
                    REPLY_LOST,
                    DISCONNECTED,
                    DISK_FULL,
                    READ_ONLY,
                    ERROR,
                    ERROR_AFTER,
                    ERROR_TWICE,
                    HOSTILE_EXCEPTION,
                    STALL -> new TransactionsUnavailableException("injected: " + how + ".", cause);
        };
    }

    public MessageSource source(MessageSource real) {
        return listener -> {
            FaultySubscription made = new FaultySubscription(real, listener);
            boolean subscribed = false;
            try {
                run("subscribe", () -> {});
                subscribed = true;
                return made;
            } finally {
                if (!subscribed) {
                    made.real.close();
                }
            }
        };
    }

    private final class FaultySubscription implements MessageSource.Subscription {
        private final MessageSource.Subscription real;
        private final AtomicInteger polls = new AtomicInteger();

        FaultySubscription(MessageSource source, MessageSource.Listener listener) {
            this.real = source.subscribe((from, whose) -> listener.revoked(this, whose));
        }

        @Override
        public List<InboundMessage> poll(Duration wait, int atMost) {
            return polls.getAndIncrement() < POLLS_COUNTED
                    ? call("poll", () -> real.poll(wait, atMost), FaultyParts::ofTheBroker)
                    : real.poll(wait, atMost);
        }

        @Override
        public void acknowledge(Collection<InboundMessage> done) {
            run("acknowledge", () -> real.acknowledge(done));
        }

        /** Never throws an exception, and always releases the broker. */
        @Override
        public void close() {
            real.close();
            Optional<Failure> failure = faults.next("close");
            if (failure.filter(how -> how.name().startsWith("ERROR")).isPresent()) {
                throw new InjectedError("close");
            }
        }
    }

    public <T> Transactions<T> transactions(Transactions<T> real) {
        return new Transactions<>() {
            @Override
            public <R, E extends Exception> R call(Work<T, R, E> work) throws E {
                Optional<Failure> before = faults.next("begin");
                before.ifPresent(FaultyParts.this::raise);
                R result = real.call(work);
                // Committed: an exception now means a lost answer.
                faults.next("answer to commit").ifPresent(FaultyParts.this::raise);
                return result;
            }
        };
    }

    private void raise(Failure how) {
        switch (how) {
            case ERROR, ERROR_AFTER, ERROR_TWICE -> throw new InjectedError("a transaction");
            case HOSTILE_EXCEPTION -> throw new HostileException();
            case BEFORE,
                    REPLY_LOST,
                    DISCONNECTED,
                    LOCK_TIMEOUT,
                    STATEMENT_TIMEOUT,
                    SERIALIZATION_CONFLICT,
                    DISK_FULL,
                    READ_ONLY,
                    STALL -> throw ofTheDatabase(how);
        }
    }

    public <T> Inbox<T> inbox(Inbox<T> real) {
        return new Inbox<>() {
            @Override
            public <E extends Exception> Outcome handleOnce(
                    T transaction, String consumer, Incoming event, Effect<T, E> effect) throws E {
                faults.next("write to the inbox").ifPresent(FaultyParts.this::raise);
                Outcome outcome = real.handleOnce(transaction, consumer, event, effect);
                faults.next("answer of the inbox").ifPresent(FaultyParts.this::raise);
                return outcome;
            }
        };
    }

    public DeadLetterBox box(DeadLetterBox real) {
        return new DeadLetterBox() {
            @Override
            public List<DeadLetterEntry> list(String topic, int atMost) {
                return call("list", () -> real.list(topic, atMost), FaultyParts::ofTheBroker);
            }

            @Override
            public Set<String> topics() {
                return call("topics", real::topics, FaultyParts::ofTheBroker);
            }

            @Override
            public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
                return call("count", () -> real.count(topics, atMost), FaultyParts::ofTheBroker);
            }

            @Override
            public Optional<DeadLetterEntry> find(String topic, String place) {
                return call("find", () -> real.find(topic, place), FaultyParts::ofTheBroker);
            }

            @Override
            public boolean sendBack(DeadLetterEntry letter, Actor by) {
                return call("send back", () -> real.sendBack(letter, by), FaultyParts::ofTheBroker);
            }

            @Override
            public boolean discard(DeadLetterEntry letter, Actor by) {
                return call("discard", () -> real.discard(letter, by), FaultyParts::ofTheBroker);
            }
        };
    }
}
