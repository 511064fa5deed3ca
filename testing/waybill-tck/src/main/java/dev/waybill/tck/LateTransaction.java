package dev.waybill.tck;

import dev.waybill.Event;
import org.jspecify.annotations.Nullable;

/** An application's transaction that appends at once and commits later in the scenario. */
final class LateTransaction implements AutoCloseable {
    private final RunWithFault run;
    private final StoreHarness harness;
    private final DeliveryLog log;
    private final Event[] events;
    private final String[] names;
    /** Null once its commit was attempted. */
    private StoreHarness.@Nullable Tx open;

    LateTransaction(RunWithFault run, StoreHarness harness, DeliveryLog log, Event[] events, String[] names) {
        this.run = run;
        this.harness = harness;
        this.log = log;
        this.events = events;
        this.names = names;
        run.insist("an append that stays open", () -> open = append());
    }

    private StoreHarness.Tx append() {
        StoreHarness.Tx tx = harness.begin();
        try {
            tx.appendIfAbsent(events);
            return tx;
        } catch (RuntimeException | Error e) {
            tx.rollback();
            throw e;
        }
    }

    /** The outcome of a failed commit is unknown: missing events are appended again. */
    void commit() {
        run.insist("a late commit", () -> {
            StoreHarness.Tx tx = open == null ? append() : open;
            open = null;
            try {
                tx.commit();
            } catch (RuntimeException | Error e) {
                tx.rollback();
                throw e;
            }
        });
        log.committed(names);
    }

    @Override
    public void close() {
        if (open != null) {
            open.rollback();
        }
    }
}
