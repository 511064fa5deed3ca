package dev.waybill.table;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/** How a relay reads an outbox table. Immutable: every setter returns a copy. */
public final class TableOptions {
    private static final TableOptions DEFAULTS = new TableOptions(
            InstantSource.system(),
            System::nanoTime,
            Claiming.ORDERED,
            OnPermanentError.KEEP,
            TimeRange.ALWAYS,
            Optional.empty());

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Claiming claiming;
    private final OnPermanentError onPermanentError;
    private final TimeRange created;
    private final Optional<String> guard;

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

    private TableOptions(
            InstantSource clock,
            LongSupplier nanoTime,
            Claiming claiming,
            OnPermanentError onPermanentError,
            TimeRange created,
            Optional<String> guard) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.claiming = claiming;
        this.onPermanentError = onPermanentError;
        this.created = created;
        this.guard = guard;
    }

    public static TableOptions defaults() {
        return DEFAULTS;
    }

    /** Tells when a retry is due; leases go by the database's own clock. */
    public InstantSource clock() {
        return clock;
    }

    TableOptions clock(InstantSource source) {
        return new TableOptions(source, nanoTime, claiming, onPermanentError, created, guard);
    }

    /** Tells how much time has passed between two looks back. */
    public LongSupplier nanoTime() {
        return nanoTime;
    }

    TableOptions nanoTime(LongSupplier source) {
        return new TableOptions(clock, source, claiming, onPermanentError, created, guard);
    }

    public Claiming claiming() {
        return claiming;
    }

    public TableOptions claiming(Claiming who) {
        return new TableOptions(clock, nanoTime, who, onPermanentError, created, guard);
    }

    public OnPermanentError onPermanentError() {
        return onPermanentError;
    }

    public TableOptions onPermanentError(OnPermanentError action) {
        return new TableOptions(clock, nanoTime, claiming, action, created, guard);
    }

    /** Only rows that were created in this time are read; others stay as they are. */
    public TimeRange created() {
        return created;
    }

    public TableOptions created(TimeRange range) {
        return new TableOptions(clock, nanoTime, claiming, onPermanentError, range, guard);
    }

    /** The table that records every published event (N2), if one is used; it is in the schema of the outbox table. */
    public Optional<String> guard() {
        return guard;
    }

    /** {@code ProcessedEvent} is the document's name of the table. */
    public TableOptions guard(String table) {
        return new TableOptions(clock, nanoTime, claiming, onPermanentError, created, Optional.of(table));
    }
}
