package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.List;

/** How many events of a replay were sent, written with its position: so the two always agree. */
final class SentCount implements PositionSaver.Alongside {
    private static final String COUNT_SENT = "update waybill.replay set sent = sent + ? where relay = ?";

    private final JournalConnection connection;
    private final RelayName replay;
    private long unsaved;

    SentCount(JournalConnection connection, RelayName replay) {
        this.connection = connection;
        this.replay = replay;
    }

    /** What comes after a released one is not settled, whatever is said of it. */
    void count(List<Settlement> settlements) {
        unsaved += settlements.stream()
                .takeWhile(settlement -> !(settlement instanceof Settlement.Released))
                .filter(Settlement.Published.class::isInstance)
                .count();
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
