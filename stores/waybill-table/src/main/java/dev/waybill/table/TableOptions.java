package dev.waybill.table;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How a relay reads an outbox table.
 *
 * @param clock tells when a retry is due; leases go by the database's own clock
 * @param nanoTime tells how much time has passed between two looks back
 * @param claiming who may read the table at once
 * @param onPermanentError what becomes of a row that was given up, where the layout has no word for it
 * @param created only rows that were created then are read; others stay as they are
 * @param guard the table that records what was published (N2), if one is used
 */
public record TableOptions(
        InstantSource clock,
        LongSupplier nanoTime,
        Claiming claiming,
        OnPermanentError onPermanentError,
        TimeRange created,
        Optional<String> guard) {
    public static final TableOptions DEFAULT = new TableOptions(
            InstantSource.system(),
            System::nanoTime,
            Claiming.ORDERED,
            OnPermanentError.KEEP,
            TimeRange.ALWAYS,
            Optional.empty());

    /** Who may read the table at once. */
    public enum Claiming {
        /** One process at a time, by lease: order within a key is kept. */
        ORDERED,
        /** Several processes, each with a lease on the rows it claimed: no order is promised. */
        COMPETING
    }

    /** What becomes of a row that was given up, where the layout has no word for it. */
    public enum OnPermanentError {
        /** It stays unpublished, and a side table says that it is dead: a person requeues or discards it. */
        KEEP,
        /** Its error is stored and it is marked as published, without a time: nothing is left to do for it. */
        MARK_PUBLISHED
    }

    public TableOptions withClock(InstantSource newClock) {
        return new TableOptions(newClock, nanoTime, claiming, onPermanentError, created, guard);
    }

    public TableOptions withNanoTime(LongSupplier newNanoTime) {
        return new TableOptions(clock, newNanoTime, claiming, onPermanentError, created, guard);
    }

    public TableOptions competing() {
        return new TableOptions(clock, nanoTime, Claiming.COMPETING, onPermanentError, created, guard);
    }

    public TableOptions markingPermanentErrors() {
        return new TableOptions(clock, nanoTime, claiming, OnPermanentError.MARK_PUBLISHED, created, guard);
    }

    /** Records every event in this table, in the schema of the outbox table; {@code ProcessedEvent} is the document's name. */
    public TableOptions guardedBy(String table) {
        return new TableOptions(clock, nanoTime, claiming, onPermanentError, created, Optional.of(table));
    }

    public TableOptions createdIn(TimeRange range) {
        return new TableOptions(clock, nanoTime, claiming, onPermanentError, range, guard);
    }
}
