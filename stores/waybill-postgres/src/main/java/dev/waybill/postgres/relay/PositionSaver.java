package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.LeaseLostException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
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
    private final @Nullable SentCount sent;

    private long unsaved;
    private long unlogged;
    private Instant savedAt;
    private Instant loggedAt;
    /** Whether the saved position is inside a window. */
    private boolean savedInsideWindow;

    private long savedSeq;

    /** Writes something in the transaction that moves the position. */
    interface Also {
        void write() throws SQLException;
    }

    /** @param logs whether the save is written to the window log */
    private record Settled(int events, boolean logs) {}

    PositionSaver(JournalConnection connection, JournalLease lease, JournalSettings settings) {
        this(connection, lease, settings, null);
    }

    /** @param sent is saved with every position */
    PositionSaver(
            JournalConnection connection, JournalLease lease, JournalSettings settings, @Nullable SentCount sent) {
        this.connection = connection;
        this.lease = lease;
        this.settings = settings;
        this.sent = sent;
        this.savedAt = settings.clock().instant();
        this.loggedAt = savedAt;
    }

    /**
     * @param events how many were settled since the last call
     * @return whether a save was due
     */
    boolean saveIfDue(JournalPosition position, int events) throws SQLException {
        // Also if nothing was published: reading a range without events may take long.
        boolean insideWindow = position.target() != null;
        boolean moved = unsaved + events > 0 || (insideWindow ? position.seq() != savedSeq : savedInsideWindow);
        boolean logs = isLogDue(events);
        boolean due =
                unsaved + events >= settings.saveEvery() || (moved && passed(savedAt, settings.saveWithin())) || logs;
        if (due) {
            save(position, new Settled(events, logs));
        } else {
            unsaved += events;
            unlogged += events;
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
            save(position, new Settled(0, unlogged > 0));
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
            save(position, new Settled(0, isLogDue(0)));
        }
        return due;
    }

    void save(JournalPosition position, Also also) throws SQLException {
        save(position, 0, also);
    }

    void save(JournalPosition position, int events, Also also) throws SQLException {
        save(position, new Settled(events, isLogDue(events)), also);
    }

    /** Usually one statement. */
    private void save(JournalPosition position, Settled settled) throws SQLException {
        if (settled.logs() || (sent != null && sent.isDue())) {
            save(position, settled, () -> {});
        } else {
            update(position);
            committed(position, settled);
        }
    }

    private void save(JournalPosition position, Settled settled, Also also) throws SQLException {
        connection.inTransaction(() -> {
            update(position);
            if (sent != null) {
                sent.write();
            }
            also.write();
            if (settled.logs()) {
                log(position, unlogged + settled.events());
            }
            return position;
        });
        committed(position, settled);
    }

    private void committed(JournalPosition position, Settled settled) {
        if (sent != null) {
            sent.committed();
        }
        unsaved = 0;
        savedAt = settings.clock().instant();
        savedInsideWindow = position.target() != null;
        unlogged = settled.logs() ? 0 : unlogged + settled.events();
        loggedAt = settled.logs() ? savedAt : loggedAt;
        savedSeq = position.seq();
    }

    private boolean isLogDue(int events) {
        long published = unlogged + events;
        return published >= LOG_EVERY_EVENTS || (published > 0 && passed(loggedAt, LOG_EVERY));
    }

    private void update(JournalPosition position) throws SQLException {
        Point base = position.base();
        @Nullable Point target = position.target();
        int updated = connection.update(
                SAVE,
                SqlArgument.other(base.snapshot().toString()),
                SqlArgument.xid(base.next()),
                base.floor(),
                SqlArgument.other(target == null ? null : target.snapshot().toString()),
                SqlArgument.other(target == null ? null : Long.toString(target.next())),
                SqlArgument.number(target == null ? null : target.floor()),
                SqlArgument.number(target == null ? null : position.high()),
                position.seq(),
                lease.relay().value(),
                lease.epoch(),
                connection.backendPid());
        if (updated != 1) {
            connection.requireSameBackend();
            throw new LeaseLostException(lease.relay(), lease.epoch());
        }
    }

    private void log(JournalPosition position, long events) throws SQLException {
        @Nullable Point target = position.target();
        connection.update(
                LOG_WINDOW,
                lease.relay().value(),
                SqlArgument.other(position.base().snapshot().toString()),
                SqlArgument.other(target == null ? null : target.snapshot().toString()),
                position.seq(),
                events);
    }

    /** Also true after the clock was set back. */
    private boolean passed(Instant since, Duration time) {
        Instant now = settings.clock().instant();
        return now.isBefore(since) || !now.isBefore(since.plus(time));
    }
}
