package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A broker with transactions that answers each event as its script says, and then delivers it. The newest writer counts. */
final class LedgerBroker implements TransactionalDestination {
    private final Map<String, Deque<Delivery>> script = new HashMap<>();
    private final List<String> committed = Collections.synchronizedList(new ArrayList<>());
    private final List<String> calls = new ArrayList<>();
    private final Deque<Commit> commits = new ArrayDeque<>();
    private final List<CompletableFuture<List<Delivery>>> held = Collections.synchronizedList(new ArrayList<>());
    private Optional<String> position = Optional.empty();
    private final List<String> writerIds = new ArrayList<>();
    private boolean refusesWriters;
    private int writers;
    private volatile boolean holds;
    private String poison = "";
    private int fits = Integer.MAX_VALUE;
    private Runnable beforeCommit = () -> {};
    private int messages;
    private @Nullable IntFunction<CompletionStage<List<Delivery>>> instead;
    private @Nullable IntFunction<CompletionStage<List<Delivery>>> as;

    /** What becomes of a commit. */
    enum Commit {
        FAILS,
        ANSWER_LOST
    }

    LedgerBroker answer(String name, Delivery... deliveries) {
        script.computeIfAbsent(name, unused -> new ArrayDeque<>()).addAll(List.of(deliveries));
        return this;
    }

    /**
     * Events whose names begin with this are refused one by one: after the first, the rest of its transaction fails because of it,
     * as with Kafka.
     */
    void refuseInTurn(String beginning) {
        poison = beginning;
    }

    /** It is too slow for more messages in a transaction: those behind them end with a time limit. */
    void fits(int inTransaction) {
        fits = inTransaction;
    }

    /** From now on nothing is sent, and publishes are answered like this; null for no longer. */
    void answerInstead(@Nullable IntFunction<CompletionStage<List<Delivery>>> answer) {
        instead = answer;
    }

    /** From now on messages are sent, and publishes are answered like this. */
    void answerAs(IntFunction<CompletionStage<List<Delivery>>> answer) {
        as = answer;
    }

    void beforeCommit(Runnable action) {
        beforeCommit = action;
    }

    /** How many messages were sent. */
    int messages() {
        return messages;
    }

    LedgerBroker commit(Commit... outcomes) {
        commits.addAll(List.of(outcomes));
        return this;
    }

    /** From now on nothing is answered. */
    void hold() {
        holds = true;
    }

    /** Answers what was held, all of it delivered. */
    void release() {
        holds = false;
        held.forEach(answers -> answers.complete(List.of(Delivery.DELIVERED)));
        held.clear();
    }

    boolean hasHeld() {
        return !held.isEmpty();
    }

    List<String> committed() {
        return committed;
    }

    /** Ends of transactions. */
    List<String> calls() {
        return calls;
    }

    List<String> writerIds() {
        return writerIds;
    }

    void refuseWriters() {
        refusesWriters = true;
    }

    int writers() {
        return writers;
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.KEPT_IN_FLIGHT, 1 << 20);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        throw new IllegalStateException("The relay has to use transactions.");
    }

    @Override
    public TransactionalWriter openWriter(String id) {
        if (refusesWriters) {
            throw new DestinationUnavailableException("no brokers");
        }
        writerIds.add(id);
        return new Writer(++writers, position);
    }

    @Override
    public void abort() {
        holds = false;
        held.forEach(answers -> answers.complete(List.of(new Delivery.Unavailable("aborted"))));
        held.clear();
    }

    @Override
    public void close() {}

    private final class Writer implements TransactionalWriter {
        private final int number;
        private final Optional<String> before;
        private final List<String> sent = new ArrayList<>();
        private boolean refused;

        Writer(int number, Optional<String> before) {
            this.number = number;
            this.before = before;
        }

        @Override
        public Optional<String> committed() {
            return before;
        }

        @Override
        public CompletionStage<List<Delivery>> publish(
                List<OutboundMessage> batch, IntFunction<WindowPosition> behind) {
            if (instead != null) {
                return instead.apply(batch.size());
            }
            List<Delivery> answers = new ArrayList<>();
            CycleScene.names(batch).forEach(name -> {
                Deque<Delivery> scripted = script.getOrDefault(name, new ArrayDeque<>());
                sent.add(name);
                messages++;
                answers.add(scripted.isEmpty() ? inTurn(name) : scripted.poll());
            });
            if (holds) {
                CompletableFuture<List<Delivery>> later = new CompletableFuture<>();
                held.add(later);
                return later;
            }
            return as == null ? CompletableFuture.completedFuture(answers) : as.apply(batch.size());
        }

        private Delivery inTurn(String name) {
            if (refused) {
                return Delivery.BEHIND;
            }
            if (sent.size() > fits) {
                return new Delivery.Unavailable("too slow");
            }
            refused = !poison.isEmpty() && name.startsWith(poison);
            return refused ? new Delivery.Refused("never") : Delivery.DELIVERED;
        }

        @Override
        public void commit(String end) {
            requireNewest();
            beforeCommit.run();
            Optional<Commit> how = Optional.ofNullable(commits.poll());
            calls.add(how.map(Commit::toString).orElse("COMMIT") + " " + sent);
            if (how.equals(Optional.of(Commit.FAILS))) {
                throw new DestinationUnavailableException("the commit failed");
            }
            LedgerBroker.this.committed.addAll(sent);
            position = Optional.of(end);
            sent.clear();
            if (how.isPresent()) {
                throw new DestinationUnavailableException("the answer was lost");
            }
        }

        @Override
        public void abort() {
            requireNewest();
            calls.add("ABORT " + sent);
            sent.clear();
            refused = false;
        }

        private void requireNewest() {
            if (number != writers) {
                throw new DestinationUnavailableException("fenced by writer " + writers);
            }
        }

        @Override
        public void close() {
            sent.clear();
        }
    }
}
