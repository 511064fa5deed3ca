package dev.waybill.relay;

import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A relay that delivers exactly once, run step by step between a store and a broker in memory. */
final class TransactionScene extends SteppedCycle {
    final WindowsInMemory store = new WindowsInMemory();
    final LedgerBroker broker = new LedgerBroker();
    final List<Settlement> settled = new ArrayList<>();
    private RelayPlan plan = Relay.named("relay").from(store).to(broker).exactlyOnce();
    private TransactionCycle cycle;

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

    @Override
    TransactionCycle cycle() {
        if (cycle == null) {
            WindowSession session = store.session();
            cycle = new TransactionCycle(
                    new ReadAhead(session, Runnable::run, 2), plan, clock(), new Settling(), this::nanoTime);
        }
        return cycle;
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

    private final class Settling extends SessionCallbacks {
        @Override
        public void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress) {
            settled.addAll(settlements);
        }
    }
}
