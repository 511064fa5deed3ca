package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.transaction.WindowPosition;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last position that the destination has committed, as far as the store knows. Saved with the relay's own position. */
final class CommittedPosition implements SavedWithPosition {
    private static final String SAVE = """
            update waybill.relay set committed_window = ?::uuid, committed_seq = ? where name = ?""";

    private final JournalConnection connection;
    private final JournalLease lease;
    private final OpenWindows windows;

    private @Nullable WindowPosition position;
    /** Number of its window. */
    private long window;
    /** Windows below it were dropped by this session. */
    private long droppedBelow;

    private boolean unsaved;

    CommittedPosition(JournalConnection connection, JournalLease lease, OpenWindows windows) {
        this.connection = connection;
        this.lease = lease;
        this.windows = windows;
    }

    JournalLease lease() {
        return lease;
    }

    OpenWindows windows() {
        return windows;
    }

    /** Starts with what the store has saved. */
    void load(@Nullable WindowPosition saved) throws SQLException {
        position = saved;
        window = saved == null
                ? 0
                : windows.find(saved.window()).map(OpenWindow::number).orElse(0L);
    }

    Optional<WindowPosition> position() {
        return Optional.ofNullable(position);
    }

    /** The number of its window; 0 if there is none. */
    long window() {
        return window;
    }

    /** Whether this is ahead of what the store knows. */
    boolean isAhead(OpenWindow of, WindowPosition other) {
        return position == null || of.number() > window || (of.number() == window && other.seq() > position.seq());
    }

    void moveTo(OpenWindow of, WindowPosition to) {
        position = to;
        window = of.number();
        unsaved = true;
    }

    /** The destination has no valid position. */
    void forget() {
        unsaved = unsaved || position != null;
        position = null;
        window = 0;
    }

    @Override
    public boolean isDue() {
        return unsaved;
    }

    @Override
    public void write() throws SQLException {
        if (unsaved) {
            connection.update(
                    SAVE,
                    SqlArgument.other(
                            position == null ? null : position.window().toString()),
                    SqlArgument.number(position == null ? null : position.seq()),
                    lease.relay().value());
            windows.drop(droppedBelow, window);
        }
    }

    @Override
    public void committed() {
        if (unsaved) {
            unsaved = false;
            droppedBelow = window;
        }
    }
}
