package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a parked event may close: all that are closed, and some that were. A page of other keys needs no query, however many
 * events are parked. Only the session parks events; after a change by an operator the keys are read again ({@link DueFloor}).
 */
final class PossiblyClosed {
    /** A closed key has an event that is due, or one that is dead and holds it. */
    static final String ALL_CLOSED_KEYS = """
            (select d.key from waybill.parked d where d.relay = ? and d.state = 'due' order by d.key, d.seq limit ?)
            union all
            (select h.key from waybill.parked h where h.relay = ? and h.state = 'dead' and h.holds order by h.seq limit ?)""";

    /** With more keys than this none is remembered, and every key is queried. */
    static final int MOST = 50_000;

    private static final long NEVER = -1;

    private final JournalConnection connection;
    private final RelayName relay;
    private @Nullable Set<UUID> keys;
    private long readAtLook = NEVER;

    PossiblyClosed(JournalConnection connection, RelayName relay) {
        this.connection = connection;
        this.relay = relay;
    }

    /**
     * The keys to query.
     *
     * @param look of the {@link DueFloor}; another number than before means that others may have changed parked events
     */
    Set<UUID> among(Collection<UUID> asked, long look) throws SQLException {
        if (look != readAtLook) {
            keys = read();
            readAtLook = look;
        }
        Set<UUID> among = new LinkedHashSet<>(asked);
        if (keys != null) {
            among.retainAll(keys);
        }
        return among;
    }

    private @Nullable Set<UUID> read() throws SQLException {
        List<UUID> found = connection.query(
                ALL_CLOSED_KEYS, row -> row.getObject(1, UUID.class), relay.value(), MOST + 1, relay.value(), MOST + 1);
        return found.size() > MOST ? null : new HashSet<>(found);
    }

    /** Events of these keys are parked. */
    void add(Collection<UUID> closed) {
        if (keys != null) {
            keys.addAll(closed);
            if (keys.size() > MOST) {
                keys = null;
            }
        }
    }

    /** A query returned that none of these is closed. */
    void remove(Collection<UUID> open) {
        if (keys != null) {
            open.forEach(keys::remove);
        }
    }
}
