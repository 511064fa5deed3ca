package dev.waybill.postgres;

import dev.waybill.RelayName;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The keys that may be closed by a parked event: all that are, and some that were. So a page of other keys asks the server
 * nothing, however many wait. Only the session parks events; what a person changed makes it read them again ({@link DueFloor}).
 */
final class PossiblyClosed {
    /** Of every key that is closed: a key has something due, or something that is dead and holds it. */
    static final String ALL_CLOSED_KEYS = """
            (select d.key from waybill.parked d where d.relay = ? and d.state = 'due' order by d.key, d.seq limit ?)
            union all
            (select h.key from waybill.parked h where h.relay = ? and h.state = 'dead' and h.holds order by h.seq limit ?)""";

    /** With more keys than this nothing is remembered, and the server is asked about every key. */
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
     * Which of these the server is to be asked about.
     *
     * @param look of the {@link DueFloor}: a new one has seen changes
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

    /** An event of each of these is parked. */
    void add(Collection<UUID> closed) {
        if (keys != null) {
            keys.addAll(closed);
            if (keys.size() > MOST) {
                keys = null;
            }
        }
    }

    /** The server answered that none of these is closed. */
    void remove(Collection<UUID> open) {
        if (keys != null) {
            open.forEach(keys::remove);
        }
    }
}
