package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.PositionAdmin.Standing;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WriterId;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** How the position that a destination has committed fits the journal, for operators. */
public final class PositionStanding {
    private static final String RECORDED =
            "select committed_window, committed_seq from waybill.relay where name = ? and committed_window is not null";

    private static final String KNOWS = "select from waybill.open_window where relay = ? and id = ?";

    private PositionStanding() {}

    public static String writerId(JournalConnection connection, RelayName relay) throws SQLException {
        return WriterId.of(StoreOrigin.of(connection), relay);
    }

    public static Standing of(JournalConnection connection, RelayName relay, Optional<String> atDestination)
            throws SQLException {
        Optional<WindowPosition> recorded = connection.first(
                RECORDED, row -> new WindowPosition(row.getObject(1, UUID.class), row.getLong(2)), relay.value());
        Optional<WindowPosition> committed = atDestination.flatMap(WindowPosition::parse);
        if (committed.isEmpty()) {
            return recorded.isEmpty() ? Standing.NONE : Standing.LOST;
        }
        WindowPosition position = committed.get();
        if (committed.equals(recorded)) {
            return Standing.SAME;
        }
        if (recorded.isPresent() && recorded.get().window().equals(position.window())) {
            return position.seq() > recorded.get().seq() ? Standing.AHEAD : Standing.BEHIND;
        }
        if (connection.exists(KNOWS, relay.value(), position.window())) {
            return Standing.AHEAD;
        }
        return recorded.isEmpty() ? Standing.NONE : Standing.UNKNOWN;
    }
}
