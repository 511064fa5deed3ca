package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Saves the relay's position: rarely enough that its row does not bloat while an old transaction prevents vacuuming, often enough
 * that little is published again after a crash. Fenced by the epoch.
 */
final class PositionSaver {
    /** Writes nothing under a newer epoch, or in another backend than the one the session reads with. */
    private static final String SAVE = """
            update waybill.relay
               set base = ?::pg_snapshot, base_next = ?::xid8, base_floor = ?, target = ?::pg_snapshot,
                   target_next = ?::xid8, target_floor = ?, high = ?, seq = ?, saved_at = clock_timestamp()
             where name = ? and epoch = ? and pg_backend_pid() = ?""";

    private static final String FENCE = "select from waybill.relay where name = ? and epoch = ?";

    private static final String LOG_WINDOW = """
            insert into waybill.window_log (relay, base, target, seq, events)
            values (?, ?::pg_snapshot, ?::pg_snapshot, ?, ?)""";

    private static final Duration LOG_EVERY = Duration.ofSeconds(10);
    private static final Duration FLUSH_EVERY = Duration.ofMillis(250);
    private static final long LOG_EVERY_EVENTS = 100_000;

    private final JournalConnection connection;
    private final JournalLease lease;
    private final JournalSettings settings;
    private final @Nullable SavedWithPosition with;

    private long unsaved;
    /** Settled since the last entry of the window log. */
    private long unlogged;

    /** How many of them were published. */
    private long unloggedPublished;

    private Instant savedAt;
    private Instant loggedAt;
    /** Whether the saved position is inside a window. */
    private boolean savedInsideWindow;

    private long savedSeq;

    /** Writes something in the transaction that moves the position. */
    interface Also {
        void write() throws SQLException;
    }

    /**
     * What was settled since the last call.
     *
     * @param events how many left the window, or the parked events
     * @param published how many of them were published
     */
    record Settled(int events, int published) {
        static final Settled NOTHING = new Settled(0, 0);

        /** Parked events leave only when they are published. */
        static Settled parked(List<Settlement> settlements) {
            int published = SentCount.published(settlements);
            return new Settled(published, published);
        }
    }

    PositionSaver(JournalConnection connection, JournalLease lease, JournalSettings settings) {
        this(connection, lease, settings, null);
    }

    /** @param with is saved with every position */
    PositionSaver(
            JournalConnection connection,
            JournalLease lease,
            JournalSettings settings,
            @Nullable SavedWithPosition with) {
        this.connection = connection;
        this.lease = lease;
        this.settings = settings;
        this.with = with;
        this.savedAt = settings.clock().instant();
        this.loggedAt = savedAt;
    }

    RelayName relay() {
        return lease.relay();
    }

    /** @return whether a save was due */
    boolean saveIfDue(JournalPosition position, Settled settled) throws SQLException {
        // Also if nothing was published: reading a range without events may take long.
        boolean insideWindow = position.target() != null;
        long events = unsaved + settled.events();
        boolean moved = events > 0 || (insideWindow ? position.seq() != savedSeq : savedInsideWindow);
        count(settled);
        boolean logs = isLogDue();
        boolean due = events >= settings.saveEvery() || (moved && passed(savedAt, settings.saveWithin())) || logs;
        if (due) {
            save(position, logs);
        } else {
            unsaved = events;
        }
        return due;
    }

    void requireLease() throws SQLException {
        if (!connection.exists(FENCE, lease.relay().value(), lease.epoch())) {
            throw new LeaseLostException(lease.relay(), lease.epoch());
        }
    }

    void saveRest(JournalPosition position) throws SQLException {
        if (unsaved > 0 || unlogged > 0 || savedInsideWindow) {
            save(position, unlogged > 0);
        }
    }

    /**
     * Saves in order to flush the server's WAL.
     *
     * @return false if the last save is too recent: too many would bloat the relay's row
     */
    boolean saveToFlush(JournalPosition position) throws SQLException {
        boolean due = passed(savedAt, FLUSH_EVERY);
        if (due) {
            save(position, isLogDue());
        }
        return due;
    }

    void save(JournalPosition position, Also also) throws SQLException {
        save(position, Settled.NOTHING, also);
    }

    void save(JournalPosition position, Settled settled, Also also) throws SQLException {
        count(settled);
        save(position, isLogDue(), also);
    }

    /** Not undone if the save fails, because the session then fails too and saves nothing more. */
    private void count(Settled settled) {
        unlogged += settled.events();
        unloggedPublished += settled.published();
    }

    /**
     * Usually one statement.
     *
     * @param logs whether the save is written to the window log
     */
    private void save(JournalPosition position, boolean logs) throws SQLException {
        if (logs || (with != null && with.isDue())) {
            save(position, logs, () -> {});
        } else {
            update(position);
            committed(position, logs);
        }
    }

    private void save(JournalPosition position, boolean logs, Also also) throws SQLException {
        connection.inTransaction(() -> {
            update(position);
            if (with != null) {
                with.write();
            }
            also.write();
            if (logs) {
                log(position);
            }
            return position;
        });
        committed(position, logs);
    }

    private void committed(JournalPosition position, boolean logs) {
        if (with != null) {
            with.committed();
        }
        unsaved = 0;
        savedAt = settings.clock().instant();
        savedInsideWindow = position.target() != null;
        if (logs) {
            unlogged = 0;
            unloggedPublished = 0;
            loggedAt = savedAt;
        }
        savedSeq = position.seq();
    }

    private boolean isLogDue() {
        return unlogged >= LOG_EVERY_EVENTS || (unlogged > 0 && passed(loggedAt, LOG_EVERY));
    }

    private void update(JournalPosition position) throws SQLException {
        int updated = connection.update(
                SAVE,
                PositionColumns.arguments(position, lease.relay().value(), lease.epoch(), connection.backendPid()));
        if (updated != 1) {
            connection.requireSameBackend();
            throw new LeaseLostException(lease.relay(), lease.epoch());
        }
    }

    /** Also without anything published: the entry says when the relay passed its events. */
    private void log(JournalPosition position) throws SQLException {
        @Nullable Point target = position.target();
        connection.update(
                LOG_WINDOW,
                lease.relay().value(),
                SqlArgument.other(position.base().snapshot().toString()),
                SqlArgument.other(target == null ? null : target.snapshot().toString()),
                position.seq(),
                unloggedPublished);
    }

    /** Also true after the clock was set back. */
    private boolean passed(Instant since, Duration time) {
        Instant now = settings.clock().instant();
        return now.isBefore(since) || !now.isBefore(since.plus(time));
    }
}
