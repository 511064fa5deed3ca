package dev.waybill.relay;

import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.tck.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A relay that delivers exactly once, run step by step between a store and a broker in memory. */
final class TransactionScene {
    private static final int MAX_CYCLES = 1_000;

    final WindowsInMemory store = new WindowsInMemory();
    final LedgerBroker broker = new LedgerBroker();
    final List<Settlement> settled = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private RelayPlan plan = Relay.named("relay").from(store).to(broker).exactlyOnce(TransactionSize.defaults());
    private TransactionCycle cycle;
    private boolean leaseHolds = true;
    private int answersArrived;

    TransactionScene options(UnaryOperator<RelayOptions> change) {
        plan = plan.options(change.apply(plan.options()));
        return this;
    }

    TransactionScene plan(UnaryOperator<RelayPlan> change) {
        plan = change.apply(plan);
        return this;
    }

    TransactionScene pagesOf(int events) {
        return options(options -> options.batch(new BatchSize(events, 1_000_000)));
    }

    TransactionScene size(int maxEvents, Duration linger) {
        return plan(before -> before.exactlyOnce(new TransactionSize(maxEvents, linger)));
    }

    TransactionCycle cycle() {
        if (cycle == null) {
            WindowSession session = store.session();
            cycle = new TransactionCycle(
                    new ReadAhead(session, Runnable::run, 2), plan, clock, new Callbacks(), this::nanoTime);
        }
        return cycle;
    }

    private long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(clock.instant().toEpochMilli());
    }

    CycleResult turn() {
        return cycle().runOnce();
    }

    /** Runs cycles until there is nothing to do but wait. */
    CycleResult run() {
        for (int i = 0; i < MAX_CYCLES; i++) {
            CycleResult turn = turn();
            if (!(turn instanceof CycleResult.Worked)) {
                return turn;
            }
        }
        throw new AssertionError("The cycle still finds work after " + MAX_CYCLES + " cycles.");
    }

    /** Runs cycles, and waits as long as they ask for, until there is nothing to do. */
    void drain() {
        for (int i = 0; i < MAX_CYCLES; i++) {
            CycleResult turn = turn();
            if (turn instanceof CycleResult.Idle) {
                return;
            }
            if (turn instanceof CycleResult.Throttled throttled) {
                pass(throttled.until());
            }
        }
        throw new AssertionError("The cycle is not idle after " + MAX_CYCLES + " cycles.");
    }

    /** The process crashes, and another takes over. */
    void crash() {
        cycle = null;
    }

    void pass(Duration time) {
        clock.advance(time);
    }

    void loseLease() {
        leaseHolds = false;
    }

    int answersArrived() {
        return answersArrived;
    }

    private final class Callbacks implements RelayCycle.Callbacks {
        @Override
        public void answersArrived() {
            answersArrived++;
        }

        @Override
        public boolean mayPublish() {
            return leaseHolds;
        }

        @Override
        public void claimed(List<StoredEvent> events) {}

        @Override
        public RelayListener.Sending sending(
                Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim) {
            return RelayListener.Sending.IGNORED;
        }

        @Override
        public void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress) {
            settled.addAll(settlements);
        }

        @Override
        public void repeats(int events) {}
    }
}
