package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.List;

/** Counts the events that a replay has sent. The count is saved together with the position, so the two always agree. */
final class SentCount implements SavedWithPosition {
    private static final String COUNT_SENT = "update waybill.replay set sent = sent + ? where relay = ?";

    private final JournalConnection connection;
    private final RelayName replay;
    private long unsaved;

    SentCount(JournalConnection connection, RelayName replay) {
        this.connection = connection;
        this.replay = replay;
    }

    /** Settlements after a released event do not count: the session does not apply them. */
    static int published(List<Settlement> settlements) {
        return (int) settlements.stream()
                .takeWhile(settlement -> !(settlement instanceof Settlement.Released))
                .filter(Settlement.Published.class::isInstance)
                .count();
    }

    void count(List<Settlement> settlements) {
        unsaved += published(settlements);
    }

    @Override
    public boolean isDue() {
        return unsaved > 0;
    }

    @Override
    public void write() throws SQLException {
        if (unsaved > 0) {
            connection.update(COUNT_SENT, unsaved, replay.value());
        }
    }

    @Override
    public void committed() {
        unsaved = 0;
    }
}
