package dev.waybill.table;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.support.StoreClock;
import dev.waybill.table.relay.SessionOptions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Options for relaying an outbox table. Immutable: every setter returns a copy. */
public final class TableOptions {
    private static final TableOptions DEFAULTS = new TableOptions(
            () -> StoreClock.following(InstantSource.system(), System::nanoTime),
            System::nanoTime,
            Claiming.ORDERED,
            OnPermanentError.KEEP,
            TimeRange.ALWAYS,
            Optional.empty());

    private final Supplier<StoreClock> clock;
    private final LongSupplier nanoTime;
    private final Claiming claiming;
    private final OnPermanentError onPermanentError;
    private final TimeRange created;
    private final Optional<String> guard;

    /** How many processes may claim rows at once. */
    public enum Claiming {
        /** One process at a time, by lease: the order within a key is kept. */
        ORDERED,
        /** Several processes, each with leases on the rows it claimed: no order is promised. */
        COMPETING
    }

    /** What happens to a row that is dead, if the layout has no state for that. */
    public enum OnPermanentError {
        /** It stays unpublished, and is dead in the side table until an operator requeues or discards it. */
        KEEP,
        /** Its error is stored, and it is marked as published without a published time. */
        MARK_PUBLISHED
    }

    private TableOptions(
            Supplier<StoreClock> clock,
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

    /** Decides when a retry is due, instead of the database's clock, which leases use. */
    TableOptions clock(InstantSource source) {
        return new TableOptions(() -> StoreClock.same(source), nanoTime, claiming, onPermanentError, created, guard);
    }

    /** The clock of this process. */
    TableOptions ownClock(InstantSource source) {
        return new TableOptions(
                () -> StoreClock.following(source, System::nanoTime),
                nanoTime,
                claiming,
                onPermanentError,
                created,
                guard);
    }

    TableOptions nanoTime(LongSupplier source) {
        return new TableOptions(clock, source, claiming, onPermanentError, created, guard);
    }

    SessionOptions session() {
        return new SessionOptions(
                clock.get(),
                nanoTime,
                claiming == Claiming.COMPETING,
                onPermanentError == OnPermanentError.MARK_PUBLISHED,
                guard);
    }

    /** Why a relay with these options cannot read a table of this layout, and what to do; empty if it can. */
    public Optional<String> problemWith(TableLayout layout) {
        if (claiming == Claiming.ORDERED && !layout.isOrdered()) {
            return Optional.of(
                    "the table " + layout.tableName() + " cannot be read in order: the layout " + layout.name()
                            + " names neither a sequence nor a creation time. Add a sequence to the table (doctor prints the"
                            + " statement) and name it in the layout, as in columns: { sequence: seq }, or set competing: true"
                            + " (COMPETING), without order");
        }
        if (onPermanentError == OnPermanentError.MARK_PUBLISHED && layout.deletesPublished()) {
            return Optional.of("the layout " + layout.name() + " deletes published rows, so on-permanent-error:"
                    + " mark-published would delete a dead event and its error: use keep");
        }
        boolean range = created.from().isPresent() || created.until().isPresent();
        if (range && !layout.has(TableColumn.CREATED_AT)) {
            return Optional.of(
                    "the time range created cannot be used: the table " + layout.tableName() + " has no creation time");
        }
        return Optional.empty();
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

    /** Only rows created in this time range are read; others stay as they are. */
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

    /** See {@link ProcessedEvents#TABLE} for the default name. */
    public TableOptions guard(String table) {
        return new TableOptions(clock, nanoTime, claiming, onPermanentError, created, Optional.of(table));
    }
}
